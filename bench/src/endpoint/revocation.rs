//! A token revoked by another process, beside a load.

use std::time::Duration;

use super::contender::Contender;
use crate::http::Connection;
use crate::load::load;
use crate::place::Place;
use crate::request::{Asked, Era};
use crate::table::{Row, millis};
use crate::{Bench, Outcome};

/// Connections of the load.
const BESIDE: usize = 16;
/// How soon a revoked token must be refused.
const REVOKED: Duration = Duration::from_secs(1);

/// The row, and how many calls the load made.
pub async fn measure(bench: &Bench, place: &Place<'_>, contender: &Contender) -> Outcome<(Row, u64)> {
    let target = contender.target(Era::Legacy);
    let beside = load(&bench.site.ambient, &target, BESIDE, bench.sample() * 2);
    let (beside, refused) = tokio::try_join!(beside, refused_after(bench, place, target.port))?;
    let row = Row::new(format!("revoked token refused after, {}", place.database()), millis(refused))
        .bar(format!("< {}", millis(REVOKED)), refused < REVOKED)
        .note("`stoa token revoke` beside the load");
    Ok((row, beside.calls))
}

/// From the end of `stoa token revoke` until the token is refused.
async fn refused_after(bench: &Bench, place: &Place<'_>, port: u16) -> Outcome<Duration> {
    let ambient = &bench.site.ambient;
    let added = place.add_token().await?;
    let (Some(id), Some(token)) = (added["id"].as_str(), added["token"].as_str()) else {
        return Err("no token".into());
    };
    let request = Asked::list().request(Era::Legacy, port, token);
    let mut connection = Connection::open(port).await?;
    if connection.exchange(&request).await?.status != 200 {
        return Err("a new token is refused".into());
    }
    place.stoa(&["token", "revoke", id]).await?;
    let revoked = ambient.now();
    let mut waited = Duration::ZERO;
    while connection.exchange(&request).await?.status != 401 && waited < REVOKED * 5 {
        waited = ambient.now().since(revoked);
    }
    Ok(waited)
}
