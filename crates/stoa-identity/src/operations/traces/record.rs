//! Noting what a client was about.

use std::time::Duration;

use stoa_base::Ambient;
use stoa_base::text::one_line;
use stoa_store::{Database, StoreError};

use crate::Visit;
use crate::model::oauth::trace::{Sighting, Step, Trace, TraceId};
use crate::{MountId, SecretToken, store};

/// How many are kept of one workspace.
const MOST: i64 = 2_000;
/// How many discoveries are kept beside them: anybody may cause them, and they say little.
const MOST_DISCOVERIES: i64 = 200;
/// How often the same client's discovery of the same mount is noted.
const DISCOVERED_EVERY: Duration = Duration::from_mins(1);
/// The longest text, in characters.
const LONGEST: usize = 200;

/// Notes a request at the mount, as it was answered. What a client sent is cut, cleaned, and left out where a secret
/// stands in it. Not under audit: it is no act, and strangers cause it.
///
/// # Errors
/// [`StoreError`] when the database refused.
pub async fn record(
    db: &Database,
    ambient: &Ambient,
    mount: &MountId,
    sighting: Sighting<'_>,
    visit: &Visit,
) -> Result<(), StoreError> {
    let trace = Trace {
        id: TraceId::new(ambient),
        service: mount.service.clone(),
        step: sighting.step,
        client: sighting.client.map(clean),
        agent: visit.user_agent.as_deref().map(clean),
        installation: sighting.installation,
        code: sighting.code.map(clean),
        address: visit.class,
        at: ambient.now(),
    };
    let most = if trace.step == Step::Discovery { MOST_DISCOVERIES } else { MOST };
    let since = trace.at.minus(DISCOVERED_EVERY);
    if trace.step == Step::Discovery
        && store::oauth_trace::is_discovered(db, mount.workspace, &trace, since).await?
    {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    store::oauth_trace::insert(&mut tx, mount.workspace, &trace, most).await?;
    tx.commit().await
}

fn clean(text: &str) -> String {
    if SecretToken::stands_in(text) {
        return "(a secret)".to_owned();
    }
    one_line(text, LONGEST)
}
