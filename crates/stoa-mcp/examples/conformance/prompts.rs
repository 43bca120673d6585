//! The fixture prompts.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use stoa_identity::Caller;
use stoa_mcp::{
    Argument, Call, Content, FormAnswer, Given, Mark, Message, Messages, Prompt, PromptSpec, Questions,
    ToolError,
};

use crate::asking::field;
use crate::{SCOPE, content};

/// What a prompt gives.
type Body = fn(&Call) -> Given<Messages>;

struct Fixture {
    spec: PromptSpec,
    body: Body,
}

impl Prompt for Fixture {
    fn spec(&self) -> &PromptSpec {
        &self.spec
    }

    fn get(&self, call: Call) -> BoxFuture<'static, Result<Given<Messages>, ToolError>> {
        let given = (self.body)(&call);
        async { Ok(given) }.boxed()
    }

    fn complete(
        &self,
        _caller: Arc<Caller>,
        _argument: String,
        typed: String,
    ) -> BoxFuture<'static, Result<Vec<String>, ToolError>> {
        let words = ["paris", "park", "party", "test", "text"].into_iter();
        let fitting = words.filter(|word| word.starts_with(&typed)).map(str::to_owned).collect();
        async { Ok(fitting) }.boxed()
    }
}

fn prompt(name: &'static str, arguments: Vec<Argument>, body: Body) -> Arc<dyn Prompt> {
    let completes = !arguments.is_empty();
    let description = "A prompt for tests.";
    let spec = PromptSpec { name, title: name, description, scope: SCOPE, arguments, completes };
    Arc::new(Fixture { spec, body })
}

fn argument(name: &'static str) -> Argument {
    Argument::text(name, "For tests.").mark(Mark::Keep).required()
}

pub fn prompts() -> Vec<Arc<dyn Prompt>> {
    vec![
        prompt("test_simple_prompt", vec![], |_| {
            given(vec![Content::text("This is a simple prompt for testing.")])
        }),
        prompt("test_prompt_with_arguments", vec![argument("arg1"), argument("arg2")], |call| {
            let (arg1, arg2) = (text(call, "arg1"), text(call, "arg2"));
            given(vec![Content::text(format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))])
        }),
        prompt("test_prompt_with_embedded_resource", vec![argument("resourceUri")], |call| {
            let uri = text(call, "resourceUri");
            given(vec![
                content::resource(&uri, "text/plain", "Embedded resource content for testing."),
                Content::text("Please process the embedded resource above."),
            ])
        }),
        prompt("test_prompt_with_image", vec![], |_| {
            given(vec![content::image(), Content::text("Please analyze the image above.")])
        }),
        prompt("test_input_required_result_prompt", vec![], context),
    ]
}

fn given(contents: Vec<Content>) -> Given<Messages> {
    let messages = contents.into_iter().map(Message::user).collect();
    Given::Ready(Messages { description: "A prompt for tests.".to_owned(), messages })
}

fn text(call: &Call, name: &str) -> String {
    call.arguments.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}

fn context(call: &Call) -> Given<Messages> {
    let Some(FormAnswer::Accepted(form)) = call.inputs.form("user_context") else {
        let schema = field("context", "string");
        return Given::Asks(Questions::new().form(
            "user_context",
            "What context should the prompt use?",
            &schema,
        ));
    };
    let context = form.get("context").and_then(|value| value.as_str()).unwrap_or_default();
    given(vec![Content::text(format!("Use this context: {context}"))])
}
