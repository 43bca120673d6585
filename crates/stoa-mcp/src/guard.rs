//! Arguments against the specification of their tool. Agrees with the published schema (a test compares it
//! with a general validator), except that null means left out.

use serde_json::{Map, Value};

use crate::{Argument, Shape};

/// Unknown names that are told one by one: an honest client has few, and the answer to a made-up list of them
/// must not be longer than the list.
const UNKNOWN_TOLD: usize = 8;
/// The integers that a double holds exactly: beyond them `5.0` need not mean 5.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The arguments as the tool may have them: nulls removed, whole numbers as integers.
///
/// # Errors
/// One sentence for each problem.
pub(crate) fn check(
    specified: &[Argument],
    mut given: Map<String, Value>,
) -> Result<Map<String, Value>, Vec<String>> {
    given.retain(|_, value| !value.is_null());
    let problems = problems(specified, &mut given);
    if problems.is_empty() { Ok(given) } else { Err(problems) }
}

fn problems(specified: &[Argument], given: &mut Map<String, Value>) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, value) in given.iter_mut() {
        let argument = specified.iter().find(|argument| argument.name == name);
        problems.extend(argument.into_iter().flat_map(|argument| problem(argument, value)));
    }
    problems.extend(unknown_names(specified, given));
    let missing = specified.iter().filter(|argument| argument.required && !given.contains_key(argument.name));
    problems.extend(missing.map(|argument| format!("`{}` is missing", argument.name)));
    problems
}

fn unknown_names(specified: &[Argument], given: &Map<String, Value>) -> Vec<String> {
    let is_unknown = |name: &&String| specified.iter().all(|argument| argument.name != name.as_str());
    let mut names = given.keys().filter(is_unknown);
    let mut told: Vec<_> = names.by_ref().take(UNKNOWN_TOLD).map(|name| unknown(name, specified)).collect();
    match names.count() {
        0 => (),
        more => told.push(format!("there is none of {more} further names")),
    }
    told
}

fn unknown(name: &str, specified: &[Argument]) -> String {
    let name = stoa_base::text::one_line(name, 80);
    if specified.is_empty() {
        return format!("there is no `{name}`: this takes no arguments");
    }
    let names: Vec<_> = specified.iter().map(|argument| argument.name).collect();
    format!("there is no `{name}`: use {}", names.join(", "))
}

fn problem(argument: &Argument, value: &mut Value) -> Vec<String> {
    let name = argument.name;
    match &argument.shape {
        Shape::Closed(members) => closed(name, members, value),
        shape => wrong(shape, value).map(|what| format!("`{name}` must be {what}")).into_iter().collect(),
    }
}

fn closed(name: &str, members: &[Argument], value: &mut Value) -> Vec<String> {
    let Value::Object(inner) = value else { return vec![format!("`{name}` must be an object")] };
    inner.retain(|_, value| !value.is_null());
    problems(members, inner).into_iter().map(|problem| format!("in `{name}`: {problem}")).collect()
}

/// What the value must be, where it isn't.
fn wrong(shape: &Shape, value: &mut Value) -> Option<String> {
    match shape {
        Shape::Text { max_chars } => text(*max_chars, value),
        Shape::Integer { min, max } => integer(*min, *max, value),
        Shape::Boolean => (!value.is_boolean()).then(|| "true or false".to_owned()),
        Shape::Choice(words) => {
            let known = value.as_str().is_some_and(|word| words.contains(&word));
            (!known).then(|| format!("one of {}", words.join(", ")))
        }
        Shape::Closed(_) => None,
    }
}

fn text(max: u32, value: &Value) -> Option<String> {
    match value.as_str() {
        None => Some("a string".to_owned()),
        Some(text) if fits(text, max as usize) => None,
        Some(_) => Some(format!("at most {max} characters long")),
    }
}

/// A character has one to four bytes: most texts are decided without being counted.
fn fits(text: &str, max: usize) -> bool {
    text.len() <= max || text.chars().count() <= max
}

fn integer(min: i64, max: i64, value: &mut Value) -> Option<String> {
    if let Some(whole) = value.as_f64().filter(|_| value.is_f64()).and_then(whole) {
        *value = whole.into();
    }
    let within = value.as_i64().is_some_and(|number| (min..=max).contains(&number));
    (!within).then(|| format!("a whole number from {min} to {max}"))
}

/// JSON Schema takes `5.0` for an integer, and so do models that write it.
fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "checked: whole and below 2^53")]
    let whole = (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64);
    whole
}

#[cfg(test)]
mod tests;
