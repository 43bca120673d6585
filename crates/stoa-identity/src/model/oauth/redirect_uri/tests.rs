use proptest::prelude::*;

use super::*;

fn uri(text: &str) -> RedirectUri {
    text.parse().unwrap()
}

fn refused(text: &str) -> bool {
    text.parse::<RedirectUri>().is_err()
}

#[test]
fn what_clients_send_is_taken() {
    for (text, kind, host) in [
        ("http://127.0.0.1:33418/", RedirectKind::Loopback, "127.0.0.1"),
        ("http://127.0.0.1", RedirectKind::Loopback, "127.0.0.1"),
        ("http://[::1]:80/cb?x=1", RedirectKind::Loopback, "[::1]"),
        ("http://localhost:65535/oauth/callback", RedirectKind::Loopback, "localhost"),
        ("https://claude.ai/api/mcp/auth_callback", RedirectKind::Web, "claude.ai"),
        ("https://a.example:8443/cb?x=a%2Fb", RedirectKind::Web, "a.example"),
        ("https://xn--pple-43d.com/cb", RedirectKind::Web, "xn--pple-43d.com"),
        ("cursor://anysphere.cursor-mcp/oauth/callback", RedirectKind::App, "cursor"),
        ("vscode://vscode.github-authentication/did-authenticate", RedirectKind::App, "vscode"),
        ("com.example.app:///cb", RedirectKind::App, "com.example.app"),
    ] {
        let uri = uri(text);
        assert_eq!((uri.kind(), uri.host(), uri.as_str()), (kind, host, text));
    }
}

#[test]
fn what_is_named_as_refused_is_refused() {
    for scheme in [
        "javascript",
        "data",
        "vbscript",
        "blob",
        "about",
        "file",
        "filesystem",
        "view-source",
        "intent",
        "jar",
        "mailto",
        "tel",
        "chrome",
        "chrome-extension",
        "chrome-untrusted",
        "ms-settings",
        "ms-word",
        "ws",
        "ftp",
    ] {
        assert!(refused(&format!("{scheme}://x/cb")), "{scheme}");
        assert!(refused(&format!("{scheme}:x")), "{scheme}");
        assert!(refused(&format!("{}://x/cb", scheme.to_uppercase())), "{scheme}");
    }
}

#[test]
fn attacks_are_refused() {
    for text in [
        "",
        "a",
        "/cb",
        "//a.example/cb",
        "a.example/cb",
        ":",
        "://a.example",
        "http:",
        "http:/127.0.0.1/cb",
        "https:a.example",
        "https://",
        "https:///cb",
        // http elsewhere, and what looks like loopback
        "http://a.example/cb",
        "http://127.0.0.1.a.example/cb",
        "http://localhost.a.example/cb",
        "http://127.0.0.2/cb",
        "http://127.1/cb",
        "http://2130706433/cb",
        "http://0x7f.0.0.1/cb",
        "http://0.0.0.0/cb",
        "http://[::ffff:127.0.0.1]/cb",
        "http://[::1/cb",
        "http://localhost./cb",
        "http://LOCALHOST/cb",
        // user names
        "http://localhost@a.example/cb",
        "http://127.0.0.1:80@a.example/cb",
        "https://user@a.example/cb",
        "https://user:pass@a.example/cb",
        "https://a.example%40b.example/cb",
        "cursor://user@host/cb",
        // ports
        "http://127.0.0.1:/cb",
        "http://127.0.0.1:0/cb",
        "http://127.0.0.1:080/cb",
        "http://127.0.0.1:65536/cb",
        "http://127.0.0.1:8a/cb",
        "http://127.0.0.1:80:80/cb",
        "https://a.example:/cb",
        "https://a.example:99999/cb",
        // fragments
        "https://a.example/cb#",
        "https://a.example/cb#x",
        "cursor://a/cb#x",
        // case, hosts that are read otherwise
        "HTTPS://a.example/cb",
        "https://A.example/cb",
        "https://a.example./cb",
        "https://a%2eexample/cb",
        "https://0x7f.1/cb",
        "https://аpple.com/cb",
        "https://a.example。b/cb",
        "https://a.exam\u{ad}ple/cb",
        // backslash, white space, control characters
        r"https://a.example\@b.example/cb",
        r"https:\\a.example\cb",
        "https://a.example/c b",
        " https://a.example/cb",
        "https://a.example/cb ",
        "https://a.example/cb\n",
        "https://a.example/\tcb",
        "https://a.example/cb\0",
        "https://a.example/é",
        "java\nscript://a",
        // dot segments
        "https://a.example/cb/../evil",
        "https://a.example/cb/%2E%2e/evil",
        "http://127.0.0.1/./cb",
        // schemes that are none, or no app's
        "c://windows/x",
        "1app://cb",
        "Cursor://a/cb",
        "cursor:a/cb",
        "cursor:/a/cb",
        "cursor://",
        "app_x://cb",
    ] {
        assert!(refused(text), "{text:?}");
    }
    assert!(refused(&format!("https://a.example/{}", "a".repeat(LONGEST))));
}

#[test]
fn a_refusal_names_what_is_refused_in_one_harmless_line() {
    let error = "http://a.example/\n\u{202e}cb".parse::<RedirectUri>().unwrap_err().to_string();
    assert!(error.contains("http://a.example/ cb") && !error.contains(['\n', '\u{202e}']), "{error}");
    let error = "ftp://a.example".parse::<RedirectUri>().unwrap_err().to_string();
    assert_eq!(
        error,
        "the redirect URI ftp://a.example is refused: its scheme is none that an app may claim"
    );
}

#[test]
fn loopback_matches_on_any_port_and_on_nothing_else() {
    let registered = uri("http://127.0.0.1/cb?a=b");
    assert!(registered.admits(&uri("http://127.0.0.1:4711/cb?a=b")));
    assert!(uri("http://127.0.0.1:1/cb?a=b").admits(&uri("http://127.0.0.1:4711/cb?a=b")));
    for other in [
        "http://localhost/cb?a=b",
        "http://[::1]/cb?a=b",
        "https://127.0.0.1/cb?a=b",
        "http://127.0.0.1/cb",
        "http://127.0.0.1/cb?a=b&c",
        "http://127.0.0.1/CB?a=b",
        "http://127.0.0.1/cb/?a=b",
        "http://127.0.0.1/c%62?a=b",
        "http://127.0.0.1/cb%2F?a=b",
    ] {
        assert!(!registered.admits(&uri(other)), "{other}");
    }
}

#[test]
fn sites_and_apps_match_exactly() {
    let site = uri("https://a.example/cb");
    assert!(site.admits(&site));
    for other in [
        "https://a.example:443/cb",
        "https://a.example/cb/",
        "https://a.example/CB",
        "https://a.example/cb?",
        "https://a.example/cb?x",
        "https://a.example/%63b",
        "https://a.example/cb%2f",
        "https://a.example//cb",
        "https://b.a.example/cb",
    ] {
        assert!(!site.admits(&uri(other)), "{other}");
    }
    assert!(!uri("cursor://a/cb").admits(&uri("cursor://a:1/cb")));
}

proptest! {
    #[test]
    fn whatever_is_taken_is_read_by_browsers_as_it_is_written(text in "(https|http|cursor)://[a-zA-Z0-9.:@/\\\\%?\\[\\]_é -]{0,30}") {
        let Ok(taken) = text.parse::<RedirectUri>() else { return Ok(()) };
        let read = Url::parse(&text).unwrap();
        prop_assert!(read.username().is_empty() && read.password().is_none() && read.fragment().is_none());
        match taken.kind() {
            RedirectKind::App => prop_assert_eq!(read.scheme(), taken.host()),
            RedirectKind::Loopback => {
                prop_assert!(matches!(read.host_str(), Some("127.0.0.1" | "[::1]" | "localhost")));
                prop_assert_eq!(read.host_str(), Some(taken.host()));
            }
            RedirectKind::Web => prop_assert_eq!(read.host_str(), Some(taken.host())),
        }
        prop_assert!(taken.admits(&taken));
    }

    #[test]
    fn arbitrary_text_neither_panics_nor_loses_a_letter(text: String) {
        if let Ok(taken) = text.parse::<RedirectUri>() {
            prop_assert_eq!(taken.as_str(), &text);
        }
    }

    #[test]
    fn one_port_more_or_less_makes_no_difference_to_loopback(one in 1_u16.., other in 1_u16..) {
        let (one, other) = (uri(&format!("http://[::1]:{one}/cb")), uri(&format!("http://[::1]:{other}/cb")));
        prop_assert!(one.admits(&other) && one.portless() == "http://[::1]/cb");
    }

    #[test]
    fn a_site_admits_no_other_text(path in "[a-z%2/]{0,8}", other in "[a-z%2/]{0,8}") {
        let (one, two) = (format!("https://a.example/{path}"), format!("https://a.example/{other}"));
        let (Ok(one), Ok(two)) = (one.parse::<RedirectUri>(), two.parse::<RedirectUri>()) else { return Ok(()) };
        prop_assert_eq!(one.admits(&two), one.as_str() == two.as_str());
    }
}
