use http::HeaderValue;
use serde_json::value::RawValue;

use super::*;
use crate::envelope::parse;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn told(method: &str, params: &str, headers: &[(HeaderName, &str)]) -> Result<Era, RpcError> {
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#);
    let message = parse(body.as_bytes()).unwrap();
    let params = Params::read(message.params)?;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    tell(&message, &params, &map)
}

fn refused(method: &str, params: &str, headers: &[(HeaderName, &str)]) -> (u16, i32) {
    let error = told(method, params, headers).unwrap_err();
    (error.status.as_u16(), error.code)
}

fn modern_headers(method: &'static str) -> Vec<(HeaderName, &'static str)> {
    vec![(VERSION, MODERN), (METHOD, method)]
}

#[test]
fn a_proper_modern_request_is_modern() {
    assert_eq!(told("tools/list", META, &modern_headers("tools/list")).unwrap(), Era::Modern);
    assert_eq!(told("server/discover", META, &modern_headers("server/discover")).unwrap(), Era::Modern);
    let mut headers = modern_headers("tools/call");
    headers.push((NAME, "  search_things\t"));
    let params = format!(r#""name":"search_things",{META}"#);
    assert_eq!(told("tools/call", &params, &headers).unwrap(), Era::Modern);
}

#[test]
fn legacy_versions_and_no_version_are_legacy() {
    for version in LEGACY {
        assert_eq!(told("tools/list", "", &[(VERSION, version)]).unwrap(), Era::Legacy);
    }
    assert_eq!(told("tools/list", "", &[]).unwrap(), Era::Legacy);
    assert_eq!(told("tools/list", r#""_meta":{"progressToken":1}"#, &[]).unwrap(), Era::Legacy);
}

#[test]
fn initialize_without_modern_meta_is_legacy_whatever_its_header() {
    for header in ["2026-07-28", "2099-01-01", "nonsense"] {
        assert_eq!(told("initialize", "", &[(VERSION, header)]).unwrap(), Era::Legacy);
    }
    assert_eq!(told("initialize", META, &modern_headers("initialize")).unwrap(), Era::Modern);
}

#[test]
fn row_required_meta_field_missing() {
    assert_eq!(refused("tools/list", "", &modern_headers("tools/list")), (400, INVALID_PARAMS));
    assert_eq!(refused("server/discover", "", &[]), (400, INVALID_PARAMS));
    let only_version = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    assert_eq!(refused("tools/list", only_version, &modern_headers("tools/list")), (400, INVALID_PARAMS));
    let no_object = META.replace("{}", "[]");
    assert_eq!(refused("tools/list", &no_object, &modern_headers("tools/list")), (400, INVALID_PARAMS));
    let only_capabilities = r#""_meta":{"io.modelcontextprotocol/clientCapabilities":{}}"#;
    assert_eq!(refused("tools/list", only_capabilities, &[]), (400, INVALID_PARAMS));
}

#[test]
fn row_header_missing() {
    assert_eq!(refused("tools/list", META, &[]), (400, HEADER_MISMATCH));
    assert_eq!(refused("tools/list", META, &[(VERSION, MODERN)]), (400, HEADER_MISMATCH));
    assert_eq!(refused("tools/list", META, &[(METHOD, "tools/list")]), (400, HEADER_MISMATCH));
    let call = format!(r#""name":"search_things",{META}"#);
    assert_eq!(refused("tools/call", &call, &modern_headers("tools/call")), (400, HEADER_MISMATCH));
}

#[test]
fn row_header_says_something_else_comes_twice_or_has_invalid_characters() {
    assert_eq!(
        refused("tools/list", META, &[(VERSION, "2025-11-25"), (METHOD, "tools/list")]),
        (400, HEADER_MISMATCH)
    );
    assert_eq!(refused("tools/list", META, &modern_headers("Tools/List")), (400, HEADER_MISMATCH));
    let mut twice = modern_headers("tools/list");
    twice.push((METHOD, "tools/list"));
    assert_eq!(refused("tools/list", META, &twice), (400, HEADER_MISMATCH));
    assert_eq!(
        refused("tools/list", META, &[(VERSION, MODERN), (METHOD, "tools/list\u{e9}")]),
        (400, HEADER_MISMATCH)
    );
}

#[test]
fn row_a_name_may_be_base64_and_must_be_proper_base64() {
    let with_name = |name: &'static str| {
        let mut headers = modern_headers("tools/call");
        headers.push((NAME, name));
        told("tools/call", &format!(r#""name":"search_things",{META}"#), &headers)
    };
    assert!(with_name("=?base64?c2VhcmNoX3RoaW5ncw==?=").is_ok());
    for name in [
        "=?base64?c2VhcmNoX3RoaW5ncw?=",
        "=?base64?c2VhcmNoX3Ro*W5ncw==?=",
        "=?base64?/w==?=",
        "get_thing",
        "SEARCH_THINGS",
    ] {
        assert_eq!(with_name(name).unwrap_err().code, HEADER_MISMATCH, "{name}");
    }
}

#[test]
fn row_unsupported_version_when_header_and_body_agree() {
    let meta = META.replace(MODERN, "2099-01-01");
    let error = told("tools/list", &meta, &[(VERSION, "2099-01-01"), (METHOD, "tools/list")]).unwrap_err();
    assert_eq!((error.status.as_u16(), error.code), (400, UNSUPPORTED_VERSION));
    assert_eq!(error.data.unwrap(), json!({ "supported": SUPPORTED, "requested": "2099-01-01" }));
}

#[test]
fn row_unknown_or_removed_method_is_404_in_the_modern_era_only() {
    assert_eq!(Era::Modern.method_not_found("ping").status, StatusCode::NOT_FOUND);
    assert_eq!(Era::Legacy.method_not_found("logging/setLevel").status, StatusCode::OK);
}

#[test]
fn a_legacy_request_with_an_unknown_version_header_is_refused() {
    for header in ["2023-01-01", "nonsense", "2025-11-25 x", "zzzz-zz-zz"] {
        assert_eq!(refused("tools/list", "", &[(VERSION, header)]), (400, INVALID_REQUEST), "{header}");
    }
    assert_eq!(
        refused("tools/list", "", &[(VERSION, LEGACY[0]), (VERSION, LEGACY[0])]),
        (400, INVALID_REQUEST)
    );
}

#[test]
fn params_must_be_an_object_and_name_nothing_twice() {
    for params in [
        r#"["search_things"]"#,
        "1",
        r#"{"name":"a","name":"b"}"#,
        r#"{"_meta":7}"#,
        r#"{"_meta":["2026-07-28",{},null,null,null]}"#,
        r#"{"_meta":{"io.modelcontextprotocol/clientInfo":["Codex","2"]}}"#,
        r#"{"clientInfo":["Codex","2"]}"#,
        &format!(r#"{{"_meta":"{}"}}"#, "x".repeat(100_000)),
    ] {
        let raw = RawValue::from_string(params.to_owned()).unwrap();
        let error = Params::read(Some(&raw)).unwrap_err();
        assert_eq!(error.code, INVALID_PARAMS, "{params}");
        assert!(error.message.len() < 200, "{}", error.message);
    }
    let raw = RawValue::from_string(r#"{"_meta":null,"clientInfo":null}"#.to_owned()).unwrap();
    assert!(Params::read(Some(&raw)).unwrap().meta.is_none());
}
