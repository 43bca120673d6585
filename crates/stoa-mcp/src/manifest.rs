//! What clients are known to drop, cut or choke on, as a check of every service.

use std::sync::Arc;

use crate::{Argument, Service, Shape, Tool, ToolSpec};

/// The longest name of a tool: some clients drop what is over 60 together with the server's name.
const LONGEST_NAME: usize = 40;
/// The longest description and the longest instructions, in bytes: some clients cut at 2,048 without a word.
pub const LONGEST_TEXT: usize = 1_800;
/// The arguments that may be objects; every other one is flat, as clients drop or mangle anything richer.
const CLOSED: [(&str, &str); 3] =
    [("ramble_ask", "context"), ("command_resource", "arguments"), ("configure_agent", "answers")];

/// Everything about a service that some client would choke on: empty for a sound one. Instructions are cut
/// where they are sent; their test is with the service, which knows its largest text.
#[must_use]
pub fn check_manifest(service: &Service) -> Vec<String> {
    let tool = |tool: &Arc<dyn Tool>| check_tool(service, tool.spec());
    service.tools.iter().flat_map(tool).collect()
}

fn check_tool(service: &Service, spec: &ToolSpec) -> Vec<String> {
    let mut problems = Vec::new();
    if !is_name(spec.name, LONGEST_NAME) {
        problems.push("its name is not 1 to 40 of [a-z0-9_]".to_owned());
    }
    if spec.title.is_empty() {
        problems.push("it has no title".to_owned());
    }
    if spec.description.is_empty() || spec.description.len() >= LONGEST_TEXT {
        problems.push("its description is empty, or 1,800 bytes or more".to_owned());
    }
    if !service.scopes.iter().any(|scope| scope.name == spec.scope) {
        problems.push(format!("its scope {} is not among the service's", spec.scope));
    }
    problems.extend(check_arguments(spec.name, &spec.arguments));
    problems.into_iter().map(|problem| format!("{}: {problem}", spec.name)).collect()
}

fn check_arguments(tool: &str, arguments: &[Argument]) -> Vec<String> {
    let twice = |(place, argument): (usize, &Argument)| {
        arguments[..place].iter().any(|earlier| earlier.name == argument.name)
    };
    let doubled = arguments.iter().enumerate().filter(|pair| twice(*pair)).map(|(_, argument)| argument);
    let doubled = doubled.map(|argument| format!("argument {} comes twice", argument.name));
    arguments.iter().flat_map(|argument| check_argument(tool, argument)).chain(doubled).collect()
}

fn check_argument(tool: &str, argument: &Argument) -> Vec<String> {
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
        Shape::Closed(_) if !CLOSED.contains(&(tool, argument.name)) => note("it is an object"),
        Shape::Closed(members) if members.iter().any(|it| matches!(it.shape, Shape::Closed(_))) => {
            note("an object in an object");
        }
        Shape::Closed(members) => problems.extend(check_arguments(tool, members)),
        _ => (),
    }
    problems
}

fn is_name(name: &str, longest: usize) -> bool {
    let fine = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    (1..=longest).contains(&name.len()) && name.bytes().all(fine)
}
