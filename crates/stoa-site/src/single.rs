//! Headers that may come once only. Two of them are read differently by different programs, which is how
//! requests are smuggled past checks.

use http::{HeaderMap, HeaderName};

use crate::Unfit;

/// The header's value without surrounding spaces, if it is there once and is visible ASCII.
///
/// # Errors
/// [`Unfit::BadHeader`] where it came twice or is something else.
pub fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Unfit> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    match (values.next(), value.to_str()) {
        (None, Ok(text)) => Ok(Some(text.trim_matches([' ', '\t']))),
        _ => Err(Unfit::BadHeader(name.clone())),
    }
}
