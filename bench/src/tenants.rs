//! Memory with many tenants: each a workspace of its own, with an account, a token and a call.

use serde_json::json;
use stoa::config::{Config, Environment, Flags};
use stoa::house::House;
use stoa_base::Ambient;
use stoa_identity::accounts::NewAccount;
use stoa_identity::tokens::NewToken;
use stoa_identity::{Grant, MountId, Reach, accounts, tokens, workspaces};

use crate::http::Connection;
use crate::place::Place;
use crate::request::{Asked, Era};
use crate::table::{Row, Table, count};
use crate::{Bench, Outcome};

/// The row: before a call, and after each tenant has made one.
pub async fn measure(bench: &Bench, table: &mut Table) -> Outcome<()> {
    let place = Place::sqlite(&bench.site)?;
    let tenants = place.bench_role(&["tenants", &bench.options.tenants.to_string()]).await?;
    let server = place.serve().await?;
    let before = server.pid.memory()?;
    let mut connection = Connection::open(server.port).await?;
    let asked = Asked::call("list_resources", &json!({}));
    let mut calls = 0;
    for line in tenants.lines() {
        let (workspace, token) = line.split_once(' ').ok_or("no tenant")?;
        let path = format!("/w/{workspace}/things/mcp");
        let request = asked.request_at(&path, Era::Modern, server.port, token);
        let reply = connection.exchange(&request).await?;
        if reply.status != 200 || !reply.body.contains("\"resources\":[{") {
            return Err(format!("{workspace}: {}: {}", reply.status, reply.body).into());
        }
        calls += 1;
    }
    let after = server.pid.memory()?;
    server.stop().await?;
    let what = format!("memory (RSS) after a call of each of {} tenants; peer: before", count(calls.into()));
    let each = (after - before) * 1e3 / f64::from(calls);
    let row = Row::new(what, format!("{after:.1} MB"));
    table.add(row.peer(format!("{before:.1} MB"), after / before).note(format!("{each:.1} kB a tenant")));
    Ok(())
}

/// Makes them in this process's data folder, and prints of each its workspace and its token.
pub async fn make(tenants: u32) -> Outcome<()> {
    let config = Config::load(&Flags::default(), &Environment::of_process())?;
    let house = House::open(&config, &Ambient::system()).await?;
    for tenant in 0..tenants {
        println!("t{tenant} {}", make_one(&house, tenant).await?);
    }
    house.close().await;
    Ok(())
}

/// The tenant's token.
async fn make_one(house: &House, tenant: u32) -> Outcome<String> {
    let (db, ambient) = (&house.db, &house.ambient);
    let act = || house.act(house.default, "bench", json!({}));
    let email = format!("t{tenant}@example.com").parse::<stoa_identity::Email>()?;
    accounts::add(db, ambient, &act(), NewAccount { email: email.clone(), password: None }).await?;
    let workspace = workspaces::add(db, ambient, &act(), format!("t{tenant}").parse()?, &email).await?;
    stoa::services::prepare(&stoa::services::things(house), workspace.id).await?;
    let wanted = NewToken {
        email,
        mount: MountId::new(workspace.id, things::NAME),
        grant: Grant {
            scopes: things::SCOPES.iter().map(|scope| scope.name.to_owned()).collect(),
            reach: Reach::Everything,
            run_budget: None,
        },
        expires_in: None,
        label: "bench".to_owned(),
    };
    let added = tokens::add(db, ambient, &house.act(workspace.id, "bench", json!({})), wanted).await?;
    Ok(added.secret.expose().to_owned())
}
