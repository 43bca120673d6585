//! What people are shown of the service, beside what clients are told.

use std::collections::BTreeMap;

use stoa_testing::on_both;
use stoa_web::Language;
use things::pages::face;

use crate::house::{House, MIGRATIONS};

on_both! {
    async fn a_person_is_shown_every_scope_with_exactly_the_tools_that_it_opens(test) with MIGRATIONS; {
        let house = House::new(test);
        let face = face(&house.things, 120);
        let mut opened: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for tool in things::service(&house.things, 1).tools {
            let spec = tool.spec();
            opened.entry(spec.scope).or_default().push(spec.name);
            for language in Language::ALL {
                assert!((face.says)(language, spec.name).is_some(), "{} in words", spec.name);
            }
        }
        let mut shown: BTreeMap<&str, Vec<&str>> =
            face.scopes.iter().map(|scope| (scope.name, scope.tools.to_vec())).collect();
        opened.values_mut().chain(shown.values_mut()).for_each(|tools| tools.sort_unstable());
        assert_eq!(shown, opened);
    }
}

on_both! {
    async fn clients_and_people_are_told_the_same(test) with MIGRATIONS; {
        let scopes = face(&House::new(test).things, 120).scopes;
        for scope in things::SCOPES {
            let face = scopes.iter().find(|face| face.name == scope.name).unwrap();
            assert_eq!((face.allows)(Language::English), scope.description);
            assert_eq!(face.starts_unticked, !scope.preticked);
        }
        assert_eq!(things::SCOPES.len(), scopes.len());
    }
}
