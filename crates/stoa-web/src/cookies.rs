//! The cookies of the pages. On https their names begin with `__Host-`: no other host and no plain connection can
//! have set them (RFC 6265bis section 4.1.3.2).

use cookie::{Cookie, SameSite};
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue};
use stoa_base::Timestamp;

/// What a cookie is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jar {
    /// The session.
    Session,
    /// The language that was chosen.
    Language,
    /// What binds the second half of a passkey's ceremony to the browser that began it.
    Ceremony,
    /// What binds the coming back from an OpenID provider to the browser that was sent there.
    Oidc,
    /// The secret of an invitation that is being accepted.
    Invitation,
}

/// How cookies are set here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookies {
    /// Whether the public URL is https.
    pub is_secure: bool,
}

impl Cookies {
    fn name(self, jar: Jar) -> String {
        let name = match jar {
            Jar::Session => "stoa-session",
            Jar::Language => "stoa-language",
            Jar::Ceremony => "stoa-ceremony",
            Jar::Oidc => "stoa-oidc",
            Jar::Invitation => "stoa-invitation",
        };
        if self.is_secure { format!("__Host-{name}") } else { name.to_owned() }
    }

    /// What the browser holds; the first, where there are several of one name.
    pub fn read(self, headers: &HeaderMap, jar: Jar) -> Option<String> {
        let name = self.name(jar);
        let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut all = lines.flat_map(Cookie::split_parse).flatten();
        all.find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
    }

    /// Sets a cookie until it expires.
    pub fn set(self, headers: &mut HeaderMap, jar: Jar, value: &str, now: Timestamp, until: Timestamp) {
        let seconds = i64::try_from(until.since(now).as_secs()).unwrap_or(i64::MAX);
        self.put(headers, jar, value, seconds);
    }

    /// Has the browser forget one.
    pub fn forget(self, headers: &mut HeaderMap, jar: Jar) {
        self.put(headers, jar, "", 0);
    }

    fn put(self, headers: &mut HeaderMap, jar: Jar, value: &str, seconds: i64) {
        // Lax: a person who comes from their client's page is still signed in; no other site's form is.
        let cookie = Cookie::build((self.name(jar), value))
            .path("/")
            .http_only(true)
            .secure(self.is_secure)
            .same_site(SameSite::Lax)
            .max_age(cookie::time::Duration::seconds(seconds));
        if let Ok(line) = HeaderValue::from_str(&cookie.to_string()) {
            headers.append(SET_COOKIE, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_https_a_cookie_is_the_hosts_alone() {
        let mut headers = HeaderMap::new();
        let at = Timestamp::from_micros(0);
        Cookies { is_secure: true }.set(
            &mut headers,
            Jar::Session,
            "abc",
            at,
            Timestamp::from_micros(60_000_000),
        );
        assert_eq!(
            headers[SET_COOKIE],
            "__Host-stoa-session=abc; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=60"
        );
        let mut sent = HeaderMap::new();
        sent.insert(COOKIE, HeaderValue::from_static("stoa-session=evil; __Host-stoa-session=abc"));
        assert_eq!(Cookies { is_secure: true }.read(&sent, Jar::Session).as_deref(), Some("abc"));
        assert_eq!(Cookies { is_secure: true }.read(&sent, Jar::Language), None);
    }
}
