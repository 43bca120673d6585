//! A fixture tool: its specification and a function.

use std::sync::Arc;

use futures::future::BoxFuture;
use stoa_mcp::{Answer, Argument, Call, Effect, Mark, Tool, ToolError, ToolSpec};

use crate::SCOPE;

/// What a fixture does.
pub type Body = fn(Call) -> BoxFuture<'static, Result<Answer, ToolError>>;

struct Fixture {
    spec: ToolSpec,
    body: Body,
}

impl Tool for Fixture {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(&self, call: Call) -> BoxFuture<'static, Result<Answer, ToolError>> {
        (self.body)(call)
    }
}

/// What every fixture says of itself.
pub fn spec(name: &'static str, description: &'static str, arguments: Vec<Argument>) -> ToolSpec {
    ToolSpec { name, title: name, description, scope: SCOPE, effect: Effect::ReadOnly, arguments }
}

/// A tool without arguments.
pub fn tool(name: &'static str, description: &'static str, body: Body) -> Arc<dyn Tool> {
    Arc::new(Fixture { spec: spec(name, description, vec![]), body })
}

/// A tool with one text for an argument.
pub fn tool_of(
    name: &'static str,
    description: &'static str,
    argument: &'static str,
    body: Body,
) -> Arc<dyn Tool> {
    let argument = Argument::text(argument, "For tests.").mark(Mark::Keep);
    Arc::new(Fixture { spec: spec(name, description, vec![argument]), body })
}
