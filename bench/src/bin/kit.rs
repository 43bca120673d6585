//! Stoa with one trivial tool: everything that `stoa serve` runs, but at the endpoint a service whose work is
//! nothing. What is left is the way of a request: token, limits, guard, audit, both eras.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;
use stoa::config::{Config, Environment, Flags};
use stoa::house::House;
use stoa::logs;
use stoa::serve::node::Node;
use stoa::serve::server::Server;
use stoa::serve::signals::StopSignals;
use stoa::serve::{listeners, metrics};
use stoa::services::Services;
use stoa_base::Ambient;
use stoa_base::cursor::CursorKey;
use stoa_identity::{Authenticator, Caller};
use stoa_mcp::{
    Answer, Argument, BadArgument, Call, CallLimit, Courtesy, Effect, Endpoint, EndpointConfig, Exposure,
    FloodLimits, Foundations, Instructions, Policy, ResultStyle, Service, Tool, ToolError, ToolSpec,
};
use stoa_site::Site;
use stoa_store::StoreError;
use stoa_store::audit::Mark;
use stoa_store::secret::Purpose;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Serves until it is told to stop, then stops as `stoa serve` does. `STOA_LISTEN` says where.
#[tokio::main]
async fn main() -> Outcome<()> {
    let config = Config::load(&Flags::default(), &Environment::of_process())?;
    logs::start(&config.log, true)?;
    let ambient = Ambient::system();
    let house = House::open(&config, &ambient).await?;
    let node = Node::take(&config.data, &ambient)?;
    let metrics = metrics::start()?;
    let services = Services::assemble(&house, &node.name).await?;
    let services = Services { endpoint: endpoint(&house, &node.name)?, ..services };
    let listeners = listeners::bind(&config.listen()).await?;
    let mut signals = StopSignals::listen()?;
    let server = Server::start(house, node, services, metrics, listeners, None);
    signals.next().await;
    server.stop().await;
    Ok(())
}

fn endpoint(house: &House, node: &str) -> Outcome<Endpoint> {
    let config = &house.config;
    let per_second = config.flood.per_second;
    let site = Site { public_url: config.public_url(), own_hosts: vec![] };
    let config = EndpointConfig {
        flood: FloodLimits { per_second, burst: per_second, ..FloodLimits::default() },
        ..EndpointConfig::new(site, node.to_owned())
    };
    let foundations = Foundations {
        db: house.db.clone(),
        ambient: house.ambient.clone(),
        authenticator: Authenticator::new(house.db.clone(), house.ambient.clone()),
        audit: house.audit.clone(),
        cursors: CursorKey::new(house.key.sub_key(Purpose::Cursor)),
        request_states: CursorKey::new(house.key.sub_key(Purpose::RequestState)),
    };
    Ok(Endpoint::assemble(config, vec![service(house.config.things.mcp_limit)], foundations)?)
}

/// It stands where things stands, so that the same tokens open it.
fn service(calls_per_minute: u32) -> Service {
    Service {
        name: things::NAME,
        server_name: "bench",
        title: "Bench",
        scopes: things::SCOPES,
        policy: Policy {
            exposure: Exposure::Granted,
            bad_argument: BadArgument::ArgumentError,
            result: ResultStyle::JsonText,
            limit: CallLimit::PerMinute(calls_per_minute),
            courtesy: Courtesy::Refused,
        },
        tools: vec![Arc::new(Echo::new())],
        objects: &[],
        prompts: vec![],
        resources: None,
        tasks: None,
        instructions: Arc::new(NoInstructions),
    }
}

struct NoInstructions;

impl Instructions for NoInstructions {
    fn text<'a>(&'a self, _caller: &'a Arc<Caller>) -> BoxFuture<'a, Result<String, StoreError>> {
        async { Ok(String::new()) }.boxed()
    }
}

struct Echo(ToolSpec);

impl Echo {
    fn new() -> Self {
        let text = Argument::text("text", "What to say.").max_chars(1_000).mark(Mark::Keep).required();
        Self(ToolSpec {
            name: "echo",
            title: "Echo",
            description: "Says what it is told.",
            scope: "things:read",
            effect: Effect::ReadOnly,
            arguments: vec![text],
        })
    }
}

impl Tool for Echo {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call(&self, call: Call) -> BoxFuture<'static, Result<Answer, ToolError>> {
        async move { Answer::json(&json!({ "text": call.arguments.get("text") })) }.boxed()
    }
}
