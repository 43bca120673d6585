//! The selector, as the arguments of a tool: it is read or refused, and its query means the same when it is
//! written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use things::model::selector::SelectorArguments;

fuzz_target!(|json: &[u8]| {
    let Ok(arguments) = serde_json::from_slice::<SelectorArguments>(json) else { return };
    match arguments.parse() {
        Ok(selector) => {
            let again = SelectorArguments {
                query: selector.query.as_ref().map(ToString::to_string),
                kind: selector.kind.map(|kind| kind.to_string()),
                resource_id: selector.resource_id.map(|id| id.to_string()),
                folder: selector.folder.as_ref().map(ToString::to_string),
                since: selector.since.map(|instant| instant.to_string()),
                before: selector.before.map(|instant| instant.to_string()),
            };
            // Folding may lengthen a query beyond what is taken.
            if again.query.as_ref().is_none_or(|query| query.chars().count() <= 1_000) {
                let again = again.parse().expect("what was written can be read");
                assert_eq!(again.digest(), selector.digest());
            }
        }
        Err(error) => assert!(error.to_string().contains(": ")),
    }
});
