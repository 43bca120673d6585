//! What a service's manifest may not hold.

use stoa_base::cursor::CursorKey;
use stoa_identity::Authenticator;
use stoa_mcp::{Argument, Endpoint, EndpointConfig, Foundations, Mark, Service, check_manifest};
use stoa_site::Site;

use crate::fixture::{self, named, tool};
use crate::stand::{PUBLIC, Stand};

#[tokio::test]
async fn the_fixture_is_sound() {
    let stand = Stand::new().await;
    assert_eq!(check_manifest(&fixture::service(&stand.shared)), Vec::<String>::new());
}

#[tokio::test]
async fn row_9_10_11_12_what_clients_drop_or_cut_is_named() {
    let stand = Stand::new().await;
    let marked = |argument: Argument| argument.mark(Mark::Keep);
    let member = || marked(Argument::text("path", "Where."));
    let problems = |name, arguments| {
        let tools = vec![tool(&stand.shared, name, arguments, |_, _| unreachable!())];
        let objects = &[("command_resource", "arguments")];
        check_manifest(&Service { objects, ..named("things", "things", tools) })
    };
    assert_eq!(
        problems("command_resource", vec![marked(Argument::closed("arguments", "Of it.", vec![member()]))]),
        Vec::<String>::new()
    );
    for (name, arguments) in [
        ("a_name_of_more_than_forty_characters_here", vec![]),
        ("Upper", vec![]),
        ("", vec![]),
        ("object", vec![marked(Argument::closed("arguments", "Of it.", vec![member()]))]),
        ("unmarked", vec![Argument::text("a", "A.")]),
        ("undescribed", vec![marked(Argument::text("a", ""))]),
        ("twice", vec![member(), member()]),
        ("choice", vec![marked(Argument::choice("a", "A.", &[]))]),
        (
            "command_resource",
            vec![marked(Argument::closed("arguments", "Of it.", vec![Argument::text("a", "A.")]))],
        ),
    ] {
        assert_eq!(problems(name, arguments).len(), 1, "{name}");
    }
}

#[tokio::test]
async fn clashing_names_fail_the_assembly() {
    let stand = Stand::new().await;
    let echo = tool(&stand.shared, "echo", vec![], |_, _| unreachable!());
    let services = vec![fixture::service(&stand.shared), named("rooms", "rooms", vec![echo])];
    let foundations = Foundations {
        db: stand.test.db.clone(),
        ambient: stand.ambient.clone(),
        authenticator: Authenticator::new(stand.test.db.clone(), stand.ambient.clone()),
        audit: stand.audit.clone(),
        cursors: CursorKey::new([1; 32]),
        request_states: CursorKey::new([2; 32]),
    };
    let site = Site { public_url: PUBLIC.to_owned(), own_hosts: vec![] };
    let assembled = Endpoint::assemble(EndpointConfig::new(site, "one".to_owned()), services, foundations);
    assert_eq!(assembled.unwrap_err().to_string(), "two tools are called echo");
}
