//! Where an authorization answer may be sent.
//!
//! | form | taken where | matches |
//! |---|---|---|
//! | loopback (RFC 8252 section 7.3) | `http://` and `127.0.0.1`, `[::1]` or `localhost` | on any port; path and query exactly |
//! | a web site | `https://` and a host | exactly |
//! | an app (RFC 8252 section 7.1) | `scheme://`, a scheme that nothing else claims | exactly |
//!
//! All else is refused: the answer carries a code, and a browser is sent there. Refused too is whatever browsers
//! read otherwise than it is written, so that what a person is shown is where the browser goes.

use std::fmt;
use std::str::FromStr;

use stoa_base::text::one_line;
use url::Url;

mod special;
#[cfg(test)]
mod tests;

/// The longest one, in bytes.
const LONGEST: usize = 1_000;
/// How much of a refused one is shown, in characters.
const SHOWN: usize = 200;

/// A redirect URI as its client wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri {
    text: String,
    kind: RedirectKind,
    /// Where the port stands, with its colon; empty where there is none. Loopback only.
    port: std::ops::Range<usize>,
}

/// What kind of place it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// A program on the person's own machine that listens for a moment.
    Loopback,
    /// A web site.
    Web,
    /// An app that has claimed a scheme of its own.
    App,
}

/// The text is no redirect URI that Stoa sends anybody to.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("the redirect URI {shown} is refused: {why}")]
pub struct NotARedirectUri {
    /// The text, cut and made harmless to show.
    shown: String,
    why: &'static str,
}

impl RedirectUri {
    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What kind of place it is.
    #[must_use]
    pub const fn kind(&self) -> RedirectKind {
        self.kind
    }

    /// What a person is shown: the host, for an app its scheme.
    #[must_use]
    pub fn host(&self) -> &str {
        let (scheme, rest) = self.text.split_once("://").unwrap_or((&self.text, ""));
        if self.kind == RedirectKind::App { scheme } else { without_port(authority(rest)) }
    }

    /// Whether an answer may go to `asked` because this one is registered.
    #[must_use]
    pub fn admits(&self, asked: &Self) -> bool {
        match (self.kind, asked.kind) {
            (RedirectKind::Loopback, RedirectKind::Loopback) => self.portless() == asked.portless(),
            _ => self.text == asked.text,
        }
    }

    /// The text without a loopback's port, which is another at each start of the program.
    #[must_use]
    pub fn portless(&self) -> String {
        let mut text = self.text.clone();
        text.replace_range(self.port.clone(), "");
        text
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for RedirectUri {
    type Err = NotARedirectUri;

    fn from_str(text: &str) -> Result<Self, NotARedirectUri> {
        let kind = kind(text).map_err(|why| NotARedirectUri { shown: one_line(text, SHOWN), why })?;
        let port = if kind == RedirectKind::Loopback { port(text) } else { 0..0 };
        Ok(Self { text: text.to_owned(), kind, port })
    }
}

fn kind(text: &str) -> Result<RedirectKind, &'static str> {
    if text.len() > LONGEST {
        return Err("it is longer than 1,000 bytes");
    }
    if !text.bytes().all(is_plain) {
        return Err("it has white space, a backslash or another character that no URI has; encode it");
    }
    if text.contains('#') {
        return Err("it has a fragment");
    }
    let (scheme, rest) = text.split_once(':').ok_or("it has no scheme")?;
    if !is_scheme(scheme) {
        return Err("its scheme is not one in lower case");
    }
    let after = rest.strip_prefix("//");
    if after.is_some_and(|after| authority(after).contains('@')) {
        return Err("it has a user name");
    }
    let read = Url::parse(text).map_err(|_| "it is not a URL")?;
    match (scheme, after) {
        ("http", Some(after)) => loopback(after),
        ("https", Some(after)) => web(&read, after),
        _ if special::is_special(scheme) => Err("its scheme is none that an app may claim"),
        (_, Some(after)) if !after.is_empty() => Ok(RedirectKind::App),
        _ => Err("it needs :// and something behind it"),
    }
}

/// The characters of RFC 3986, without those that browsers read as others.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&byte)
}

fn is_scheme(scheme: &str) -> bool {
    let mut bytes = scheme.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && scheme.len() > 1
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte))
}

fn loopback(after: &str) -> Result<RedirectKind, &'static str> {
    let authority = authority(after);
    let host = without_port(authority);
    if !matches!(host, "127.0.0.1" | "[::1]" | "localhost") {
        return Err("http goes to 127.0.0.1, [::1] or localhost only; elsewhere use https");
    }
    let port = &authority[host.len()..];
    if !port.is_empty() && !is_port(port) {
        return Err("its port is no port");
    }
    no_dot_segments(&after[authority.len()..])?;
    Ok(RedirectKind::Loopback)
}

/// `read` is how browsers read it: of two spellings of a host only theirs is taken.
fn web(read: &Url, after: &str) -> Result<RedirectKind, &'static str> {
    let authority = authority(after);
    let host = without_port(authority);
    let port = &authority[host.len()..];
    let is_sound = read.host_str() == Some(host) && (port.is_empty() || is_port(port));
    if !is_sound
        || host.ends_with('.')
        || !host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.[]:_".contains(&byte))
    {
        return Err("its host is not written as browsers write it");
    }
    no_dot_segments(&after[authority.len()..])?;
    Ok(RedirectKind::Web)
}

/// Browsers would take the segment away.
fn no_dot_segments(path: &str) -> Result<(), &'static str> {
    let path = path.split('?').next().unwrap_or_default().to_ascii_lowercase().replace("%2e", ".");
    let is_dots = |segment: &str| matches!(segment, "." | "..");
    if path.split('/').any(is_dots) { Err("its path has a segment of dots") } else { Ok(()) }
}

/// What stands before path and query.
fn authority(after: &str) -> &str {
    after.split(['/', '?']).next().unwrap_or_default()
}

fn without_port(authority: &str) -> &str {
    let host = authority.rfind(']').map_or(0, |end| end + 1);
    let colon = authority[host..].find(':').map_or(authority.len(), |colon| host + colon);
    &authority[..colon]
}

fn is_port(port: &str) -> bool {
    let number = port.strip_prefix(':').filter(|digits| !digits.starts_with('0'));
    number.is_some_and(|digits| {
        digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u16>().is_ok()
    })
}

fn port(text: &str) -> std::ops::Range<usize> {
    let start = "http://".len();
    let authority = authority(&text[start..]);
    start + without_port(authority).len()..start + authority.len()
}
