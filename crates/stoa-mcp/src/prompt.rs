//! A prompt: what it says of itself, and the messages it gives.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::Serialize;
use stoa_identity::Caller;

use crate::{Argument, Call, Content, Given, ToolError};

/// One prompt. People choose it in their client, fill in its arguments and send what comes back to their model.
pub trait Prompt: Send + Sync {
    /// What clients are told of it; the same at every call.
    fn spec(&self) -> &PromptSpec;

    /// Its messages for these arguments, or questions first.
    ///
    /// # Errors
    /// [`ToolError::BadArgument`] for arguments that their shapes allow and that are wrong all the same,
    /// [`ToolError::Refused`] where there are no messages to be had, [`ToolError::ClientLacks`] where it takes another
    /// client, and [`ToolError::Internal`] for a fault of ours.
    fn get(&self, call: Call) -> BoxFuture<'static, Result<Given<Messages>, ToolError>>;

    /// What `typed` may become as a value of `argument`, the likeliest first. Only asked where
    /// [`PromptSpec::completes`].
    ///
    /// # Errors
    /// [`ToolError::Internal`] for a fault of ours. That nothing fits is an empty list.
    fn complete(
        &self,
        _caller: Arc<Caller>,
        _argument: String,
        _typed: String,
    ) -> BoxFuture<'static, Result<Vec<String>, ToolError>> {
        async { Ok(Vec::new()) }.boxed()
    }
}

/// What a prompt says of itself.
#[derive(Clone, Debug)]
pub struct PromptSpec {
    /// At most 40 characters of `[a-z0-9_]`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// What it is for. Under 1,800 bytes.
    pub description: &'static str,
    /// The scope a grant must hold.
    pub scope: &'static str,
    /// What it takes: texts, as the wire has nothing else here.
    pub arguments: Vec<Argument>,
    /// Whether it helps with typing its arguments.
    pub completes: bool,
}

/// What `prompts/get` gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Messages {
    /// What they are for.
    pub description: String,
    /// In the order of the conversation.
    pub messages: Vec<Message>,
}

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What.
    pub content: Content,
}

impl Message {
    /// What the person says.
    #[must_use]
    pub const fn user(content: Content) -> Self {
        Self { role: Role::User, content }
    }
}

/// Who says a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// A prompt as clients see it in `prompts/list`.
#[derive(Debug, Serialize)]
pub(crate) struct ListedPrompt<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    arguments: Vec<ListedArgument<'a>>,
}

#[derive(Debug, Serialize)]
struct ListedArgument<'a> {
    name: &'a str,
    description: &'a str,
    required: bool,
}

impl<'a> ListedPrompt<'a> {
    pub fn new(spec: &'a PromptSpec) -> Self {
        let argument = |it: &'a Argument| ListedArgument {
            name: it.name,
            description: it.description,
            required: it.required,
        };
        Self {
            name: spec.name,
            title: spec.title,
            description: spec.description,
            arguments: spec.arguments.iter().map(argument).collect(),
        }
    }
}
