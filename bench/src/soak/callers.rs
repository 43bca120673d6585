//! Callers at both nodes.

use std::time::Duration;

use super::{Act, Expect, Soak};
use crate::Outcome;
use crate::http::Connection;

const CALLERS: usize = 8;
/// From an answer to the next call.
const THINK: Duration = Duration::from_millis(15);
/// From a node's end to the next try.
const RETRY: Duration = Duration::from_millis(50);

/// All of them, until the time is over.
pub async fn call_all(soak: &Soak<'_>) -> Outcome<()> {
    let callers = (0..CALLERS).map(|caller| call(soak, caller % 2));
    futures::future::try_join_all(callers).await.map(drop)
}

/// One caller of a node, who comes back when the node does.
async fn call(soak: &Soak<'_>, node: usize) -> Outcome<()> {
    let node = &soak.nodes[node];
    while !soak.is_over() {
        let Some((port, life)) = node.port() else {
            tokio::time::sleep(RETRY).await;
            continue;
        };
        let Err(error) = visit(soak, port).await else { continue };
        // A node that was told to end may break off whatever it likes.
        if node.lives(life) {
            soak.witness.fault(format!("a connection broke: {error}"));
        }
    }
    Ok(())
}

/// Calls over one connection until the time is over or the connection breaks.
async fn visit(soak: &Soak<'_>, port: u16) -> std::io::Result<()> {
    let mut connection = Connection::open(port).await?;
    while !soak.is_over() {
        soak.wait(THINK).await;
        let act = Act::any(soak, port);
        soak.witness.asked(act.name);
        let reply = connection.exchange(&act.request).await?;
        // How a node that stops refuses new work.
        if reply.status == 503 {
            return Err(std::io::Error::other("stopping"));
        }
        if act.expect.is_met(reply.status, reply.body) {
            soak.witness.answered(&act, reply.body);
            learn(soak, &act, reply.body);
        } else {
            soak.witness.fault(format!("{}: {} {}", act.name, reply.status, reply.body));
        }
        // The endpoint closes after what it could not read.
        if let Expect::Status(_) = act.expect {
            return Ok(());
        }
    }
    Ok(())
}

/// Remembers a thing or a run that was told of.
fn learn(soak: &Soak<'_>, act: &Act, body: &str) {
    let (place, mark) = match act.name {
        "search_things" => (&soak.known.thing, "\"things\":[{\"id\":\""),
        "sync_resource" | "analyze_thing" => (&soak.known.run, "\"run_id\":\""),
        _ => return,
    };
    let id = body.split_once(mark).and_then(|(_, rest)| rest.get(..36));
    if let Some(id) = id {
        id.clone_into(&mut place.borrow_mut());
    }
}
