//! The fixtures of the official MCP conformance suite, on the kit that the product stands on: store, tokens, limits,
//! guard and audit are the real ones. Never part of the product, and only ever on the loopback interface.
//!
//! Prints two lines when it is ready: the URL of the endpoint and a token for it. Ends with its standard input.

mod asking;
mod content;
mod jobs;
mod prompts;
mod resources;
mod telling;
mod tool;

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;
use stoa_base::cursor::CursorKey;
use stoa_base::{Ambient, WorkspaceId};
use stoa_identity::accounts::{self, NewAccount};
use stoa_identity::tokens::{self, NewToken};
use stoa_identity::{Authenticator, Caller, Email, Grant, MountId, Reach, workspaces};
use stoa_mcp::{
    BadArgument, CallLimit, Courtesy, Endpoint, EndpointConfig, Exposure, Foundations, Instructions, Policy,
    ResultStyle, ScopeInfo, Service, router,
};
use stoa_site::Site;
use stoa_store::audit::{Act, Audit, Opening};
use stoa_store::{Database, StoreError};
use tokio::net::TcpListener;

/// The service and its one scope.
const NAME: &str = "conformance";
const SCOPE: &str = "conformance:use";
/// More than the suite asks for in a minute.
const CALLS_PER_MINUTE: u32 = 5_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let migrations = [&stoa_store::MIGRATIONS, &stoa_identity::MIGRATIONS, &stoa_mcp::MIGRATIONS];
    let test = stoa_testing::sqlite(&migrations).await;
    let ambient = Ambient::system();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let public = format!("http://localhost:{}", listener.local_addr()?.port());
    let audit = Audit::start(test.db.clone(), ambient.clone());
    let token = token(&test.db, &ambient, &audit).await?;
    let endpoint = endpoint(&public, &test.db, &ambient, &audit)?;
    println!("{public}/{NAME}/mcp\n{token}");
    let app = router(endpoint.clone()).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, app).with_graceful_shutdown(input_ends(endpoint)).await?;
    audit.stop().await;
    Ok(())
}

/// Waits until whoever started this is gone, or lets it end.
async fn input_ends(endpoint: Endpoint) {
    // An input that can't be read has ended as well.
    let _ended =
        tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink())).await;
    endpoint.drain().await;
}

fn endpoint(
    public: &str,
    db: &Database,
    ambient: &Ambient,
    audit: &Audit,
) -> Result<Endpoint, Box<dyn Error>> {
    let site = Site { public_url: public.to_owned(), own_hosts: vec![] };
    let foundations = Foundations {
        db: db.clone(),
        ambient: ambient.clone(),
        authenticator: Authenticator::new(db.clone(), ambient.clone()),
        audit: audit.clone(),
        cursors: CursorKey::new(ambient.bytes()),
        request_states: CursorKey::new(ambient.bytes()),
    };
    let services = vec![service(ambient)];
    Ok(Endpoint::assemble(EndpointConfig::new(site, NAME.to_owned()), services, foundations)?)
}

fn service(ambient: &Ambient) -> Service {
    let jobs = jobs::Jobs::new(ambient.clone());
    Service {
        name: NAME,
        server_name: NAME,
        title: "Conformance fixtures",
        scopes: &[ScopeInfo { name: SCOPE, description: "Use the fixtures", preticked: true }],
        policy: Policy {
            exposure: Exposure::Granted,
            bad_argument: BadArgument::ArgumentError,
            result: ResultStyle::JsonText,
            limit: CallLimit::PerMinute(CALLS_PER_MINUTE),
            courtesy: Courtesy::Answered,
        },
        tools: [content::tools(), telling::tools(), asking::tools(), jobs::tools(&jobs)].concat(),
        objects: &[],
        prompts: prompts::prompts(),
        resources: Some(Arc::new(resources::Fixtures::new())),
        tasks: Some(jobs),
        instructions: Arc::new(NoInstructions),
    }
}

struct NoInstructions;

impl Instructions for NoInstructions {
    fn text<'a>(&'a self, _caller: &'a Arc<Caller>) -> BoxFuture<'a, Result<String, StoreError>> {
        async { Ok(String::new()) }.boxed()
    }
}

/// A person and a token for everything here.
async fn token(db: &Database, ambient: &Ambient, audit: &Audit) -> Result<String, Box<dyn Error>> {
    let workspace = workspaces::ensure_default(db, ambient).await?.id;
    let email: Email = "suite@example.com".parse()?;
    let account = NewAccount { email: email.clone(), password: None };
    accounts::add(db, ambient, &act(audit, workspace), account).await?;
    let wanted = NewToken {
        email,
        mount: MountId::new(workspace, NAME),
        grant: Grant { scopes: SCOPE.parse()?, reach: Reach::Everything, run_budget: None },
        expires_in: None,
        label: NAME.to_owned(),
    };
    let added = tokens::add(db, ambient, &act(audit, workspace), wanted).await?;
    Ok(added.secret.expose().to_owned())
}

fn act(audit: &Audit, workspace: WorkspaceId) -> Act {
    audit.open(Opening::local(workspace, NAME, json!({})))
}
