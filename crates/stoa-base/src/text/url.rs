//! Links whose destination comes from outside.

use url::{Host, Url};

use super::{escape_markdown, one_line, visible};

/// The longest link, in bytes, as given and as shown.
const MAX_LINK: usize = 2048;
/// The longest label of a link, in characters.
const MAX_LABEL: usize = 200;

/// The destination, if it may be shown as a link, spelled as browsers read it (WHATWG URL): ASCII only, the
/// host in lower case and punycode, no two ways to read it.
///
/// Taken are absolute `http` and `https` URLs without user name or password, and `mailto:` with one address
/// and no headers; none with white space or invisible characters, none beyond 2,048 bytes. This says where
/// a link may lead a person, not what a server may fetch.
#[must_use]
pub fn safe_link(link: &str) -> Option<String> {
    if link.len() > MAX_LINK || link.contains(char::is_whitespace) || visible(link) != link {
        return None;
    }
    let url = Url::parse(link).ok()?;
    let is_safe = match url.scheme() {
        "http" | "https" => is_safe_page(&url),
        "mailto" => is_one_address(&url),
        _ => false,
    };
    (is_safe && url.as_str().len() <= MAX_LINK).then(|| url.into())
}

fn is_safe_page(url: &Url) -> bool {
    let has_host = match url.host() {
        Some(Host::Domain(domain)) => is_plain(domain, &['.', '_', '-']),
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        None => false,
    };
    has_host && url.username().is_empty() && url.password().is_none()
}

fn is_one_address(url: &Url) -> bool {
    let has_headers = url.query().is_some() || url.fragment().is_some();
    let address = url.path().split_once('@');
    let is_address = |(name, host)| is_plain(name, &['.', '_', '+', '-']) && is_plain(host, &['.', '-']);
    !has_headers && address.is_some_and(is_address)
}

/// Browsers let quotes and more into a host name, and nearly everything into an address.
fn is_plain(text: &str, marks: &[char]) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(&c))
}

/// A Markdown link with the label shown literally, in one line. A destination that [`safe_link`] refuses is
/// shown beside the label as text, not as a link; an empty label is the destination.
#[must_use]
pub fn markdown_link(label: &str, link: &str) -> String {
    let label = escape_markdown(&one_line(label, MAX_LABEL));
    let destination = safe_link(link);
    let shown = escape_markdown(&one_line(destination.as_deref().unwrap_or(link), MAX_LABEL));
    match (destination, label.is_empty()) {
        (Some(url), false) => format!("[{label}](<{}>)", escape_destination(&url)),
        (Some(url), true) => format!("[{shown}](<{}>)", escape_destination(&url)),
        (None, false) => format!("{label} ({shown})"),
        (None, true) => shown,
    }
}

/// For between `<` and `>`. An ampersand is escaped only where a character reference could follow, so that
/// whoever copies the raw text gets the URL as it is.
fn escape_destination(url: &str) -> String {
    let may_hold_references = url.contains(';');
    let mut escaped = String::with_capacity(url.len());
    for c in url.chars() {
        if matches!(c, '\\' | '|' | '<' | '>') || (c == '&' && may_hold_references) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;
    use crate::text::hostile::hostile_text;

    #[test]
    fn pages_and_mail_addresses_are_taken() {
        assert_eq!(safe_link("HTTPS://Example.com/a?b=c#d").unwrap(), "https://example.com/a?b=c#d");
        assert_eq!(safe_link("http://[::1]:8787/").unwrap(), "http://[::1]:8787/");
        assert_eq!(safe_link("mailto:ana+x@example.com").unwrap(), "mailto:ana+x@example.com");
    }

    #[test]
    fn look_alikes_show_what_they_are() {
        assert_eq!(safe_link("https://аpple.com/").unwrap(), "https://xn--pple-43d.com/");
        assert_eq!(safe_link(r"https:\\a.example\@b.example").unwrap(), "https://a.example/@b.example");
    }

    #[test]
    fn anything_else_is_refused() {
        for link in [
            "",
            "/a",
            "//a.example",
            "a.example",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "ftp://a.example",
            "stoa:things/thing/1",
            "https://",
            "https:///",
            "https://\"a\".example",
            "https://user@a.example/",
            "https://user:pass@a.example/",
            "https://:pass@a.example/",
            "java\nscript:alert(1)",
            " https://a.example",
            "https://a.example/a b",
            "https://a.example/\u{202E}gpj",
            "https://a\u{200B}.example/",
            "https://a.example/\0",
            "mailto:",
            "mailto:ana",
            "mailto:a@b.example?bcc=c@d.example",
            "mailto:a@b.example,c@d.example",
            "mailto:\"a\"@b.example",
        ] {
            assert_eq!(safe_link(link), None, "{link:?}");
        }
    }

    #[test]
    fn length_is_bounded_before_and_after_encoding() {
        let page = |tail: &str, count: usize| format!("https://a.example/{}", tail.repeat(count));
        assert!(safe_link(&page("a", MAX_LINK - 18)).is_some());
        assert_eq!(safe_link(&page("a", MAX_LINK - 17)), None);
        assert_eq!(safe_link(&page("é", 500)), None);
    }

    #[test]
    fn an_unsafe_link_is_shown_as_text() {
        assert_eq!(markdown_link("[x]", "https://a.example/(1)"), r"[\[x\]](<https://a.example/(1)>)");
        assert_eq!(markdown_link("x", "javascript:a()"), r"x (javascript\:a())");
        assert_eq!(markdown_link(" ", "https://a.example"), r"[https\://a.example/](<https://a.example/>)");
    }

    proptest! {
        #[test]
        fn what_was_taken_is_taken_again(tail in hostile_text(), scheme in "(https?://)|(mailto:)") {
            if let Some(link) = safe_link(&format!("{scheme}{tail}")) {
                prop_assert!(link.is_ascii() && !link.contains(['<', '>', '"', ' ']), "{link}");
                prop_assert_eq!(safe_link(&link), Some(link));
            }
        }

        #[test]
        fn markdown_reads_one_link_with_that_label_and_destination(
            label in hostile_text(), tail in "[a-z&;#?|\\\\()*_<>\\[\\]%é/.=]{0,30}",
        ) {
            let label = format!("x{label}");
            let link = format!("https://a.example/{tail}");
            let document = markdown_link(&label, &link);
            let mut events = Parser::new_ext(&document, Options::all() - Options::ENABLE_SMART_PUNCTUATION);
            prop_assert_eq!(events.next(), Some(Event::Start(Tag::Paragraph)));
            let Some(Event::Start(Tag::Link { dest_url, .. })) = events.next() else {
                return Err(TestCaseError::fail(document));
            };
            prop_assert_eq!(Some(dest_url.into_string()), safe_link(&link));
            let mut shown = String::new();
            let mut rest = events.by_ref().skip_while(|event| match event {
                Event::Text(part) => { shown.push_str(part); true }
                _ => false,
            });
            prop_assert_eq!(rest.next(), Some(Event::End(TagEnd::Link)));
            prop_assert_eq!(rest.next(), Some(Event::End(TagEnd::Paragraph)));
            prop_assert_eq!(rest.next(), None);
            prop_assert_eq!(shown, one_line(&label, MAX_LABEL));
        }
    }
}
