//! What clients are known to drop, cut or choke on, as a check of every service.

use std::sync::Arc;

use crate::{Argument, Prompt, PromptSpec, Service, Shape, Tool, ToolSpec};

/// The longest name of a tool: some clients drop what is over 60 together with the server's name.
const LONGEST_NAME: usize = 40;
/// The longest description and the longest instructions, in bytes: some clients cut at 2,048 without a word.
pub const LONGEST_TEXT: usize = 1_800;

/// Everything about a service that some client would choke on: empty for a sound one. Instructions are cut
/// where they are sent; their test is with the service, which knows its largest text.
#[must_use]
pub fn check_manifest(service: &Service) -> Vec<String> {
    let tool = |tool: &Arc<dyn Tool>| check_tool(service, tool.spec());
    let prompt = |prompt: &Arc<dyn Prompt>| check_prompt(service, prompt.spec());
    service.tools.iter().flat_map(tool).chain(service.prompts.iter().flat_map(prompt)).collect()
}

fn check_tool(service: &Service, spec: &ToolSpec) -> Vec<String> {
    let mut problems = check_words(spec.name, spec.title, spec.description);
    problems.extend(check_scope(service, spec.scope));
    problems.extend(check_arguments(service, spec.name, &spec.arguments));
    problems.into_iter().map(|problem| format!("{}: {problem}", spec.name)).collect()
}

fn check_prompt(service: &Service, spec: &PromptSpec) -> Vec<String> {
    let mut problems = check_words(spec.name, spec.title, spec.description);
    problems.extend(check_scope(service, spec.scope));
    problems.extend(check_arguments(service, spec.name, &spec.arguments));
    let other = spec.arguments.iter().filter(|it| !matches!(it.shape, Shape::Text { .. }));
    problems.extend(other.map(|it| format!("argument {}: it is no text", it.name)));
    problems.into_iter().map(|problem| format!("prompt {}: {problem}", spec.name)).collect()
}

fn check_words(name: &str, title: &str, description: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if !is_name(name, LONGEST_NAME) {
        problems.push("its name is not 1 to 40 of [a-z0-9_]".to_owned());
    }
    if title.is_empty() {
        problems.push("it has no title".to_owned());
    }
    if description.is_empty() || description.len() >= LONGEST_TEXT {
        problems.push("its description is empty, or 1,800 bytes or more".to_owned());
    }
    problems
}

fn check_scope(service: &Service, scope: &str) -> Option<String> {
    let known = service.scopes.iter().any(|known| known.name == scope);
    (!known).then(|| format!("its scope {scope} is not among the service's"))
}

fn check_arguments(service: &Service, tool: &str, arguments: &[Argument]) -> Vec<String> {
    let twice = |(place, argument): (usize, &Argument)| {
        arguments[..place].iter().any(|earlier| earlier.name == argument.name)
    };
    let doubled = arguments.iter().enumerate().filter(|pair| twice(*pair)).map(|(_, argument)| argument);
    let doubled = doubled.map(|argument| format!("argument {} comes twice", argument.name));
    arguments.iter().flat_map(|argument| check_argument(service, tool, argument)).chain(doubled).collect()
}

fn check_argument(service: &Service, tool: &str, argument: &Argument) -> Vec<String> {
    let mut problems = Vec::new();
    let mut note = |what: &str| problems.push(format!("argument {}: {what}", argument.name));
    if argument.name.is_empty() || !argument.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        note("its name is not of [A-Za-z0-9_]");
    }
    if argument.description.is_empty() || argument.description.len() >= LONGEST_TEXT {
        note("its description is empty, or 1,800 bytes or more");
    }
    if argument.mark.is_none() {
        note("nothing says what the audit keeps of it");
    }
    match &argument.shape {
        Shape::Choice([]) => note("there is nothing to choose from"),
        Shape::Closed(_) if !service.objects.contains(&(tool, argument.name)) => note("it is an object"),
        Shape::Closed(members) if members.iter().any(|it| matches!(it.shape, Shape::Closed(_))) => {
            note("an object in an object");
        }
        Shape::Closed(members) => problems.extend(check_arguments(service, tool, members)),
        _ => (),
    }
    problems
}

fn is_name(name: &str, longest: usize) -> bool {
    let fine = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    (1..=longest).contains(&name.len()) && name.bytes().all(fine)
}
