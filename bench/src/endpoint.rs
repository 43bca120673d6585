//! The endpoint under load: calls a second, each with token, limits, guard and audit, beside other servers with
//! the same tool, which have none of that.

mod audited;
mod contender;
mod revocation;

use serde_json::json;

use crate::peers::{self, Peer};
use crate::place::Place;
use crate::request::{Asked, Era};
use crate::server::Server;
use crate::table::Table;
use crate::{Bench, Outcome};
use contender::Contender;

const CONNECTIONS: [usize; 2] = [16, 64];

/// A Stoa under load.
struct Stoa<'a> {
    place: Place<'a>,
    server: Server,
    token: String,
}

impl<'a> Stoa<'a> {
    /// The kit, whose one tool does nothing.
    async fn kit(place: Place<'a>) -> Outcome<Self> {
        place.add_owner().await?;
        let server = place.serve_kit().await?;
        Ok(Self { token: place.owner_token().await?, server, place })
    }

    /// The whole house.
    async fn house(place: Place<'a>) -> Outcome<Self> {
        place.add_owner().await?;
        let server = place.serve().await?;
        Ok(Self { token: place.owner_token().await?, server, place })
    }

    fn contender(&self, what: &str, asked: Asked, expected: &'static str) -> Contender {
        Contender::stoa(what.to_owned(), &self.server, &self.token, asked, expected)
    }
}

pub async fn measure(bench: &Bench, table: &mut Table) -> Outcome<()> {
    let kit = Stoa::kit(Place::sqlite(&bench.site)?).await?;
    let many = Stoa::kit(Place::postgres(&bench.site).await?).await?;
    let house = Stoa::house(Place::sqlite(&bench.site)?).await?;
    let peers = peers::start_all(bench).await?;
    let mut field = field(&kit, &many, &house, &peers);
    for connections in CONNECTIONS {
        for era in Era::ALL {
            contender::compare(bench, &mut field, era, connections, table).await?;
        }
    }
    for (at, stoa) in [(0, &kit), (1, &many)] {
        let (row, beside) = revocation::measure(bench, &stoa.place, &field[at]).await?;
        table.add(row);
        field[at].calls += beside;
    }
    for peer in peers {
        peer.server.stop().await?;
    }
    for (at, tool, stoa) in [(0, "echo", kit), (1, "echo", many), (2, "list_runs", house)] {
        stoa.server.stop().await?;
        table.add(audited::measure(tool, &stoa.place, field[at].calls).await?);
    }
    Ok(())
}

/// The echo on SQLite first: it is what the bars are about.
fn field(kit: &Stoa<'_>, many: &Stoa<'_>, house: &Stoa<'_>, peers: &[Peer]) -> Vec<Contender> {
    let echo = || Asked::call("echo", &json!({ "text": "hello world" }));
    let runs = Asked::call("list_runs", &json!({ "limit": 1 }));
    let mut field = vec![
        kit.contender("`tools/call` echo", echo(), "hello world"),
        many.contender("`tools/call` echo on PostgreSQL", echo(), "hello world"),
        house.contender("`tools/call` list_runs", runs, "\"runs\":[]"),
        house.contender("`tools/list`", Asked::list(), "search_things"),
    ];
    field.extend(peers.iter().map(|peer| Contender::peer(peer, echo(), "hello world")));
    field
}
