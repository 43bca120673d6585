//! Searches, compared with going through everything.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use stoa_testing::on_both;
use things::model::{Atom, Query, SelectorArguments};
use things::operations::search_things::{SearchThings, search_things};
use things::text::tokens::tokens;

use crate::house::{House, MIGRATIONS, Resource};

/// Words of texts and names: some stand everywhere, some are the beginning of others.
const WORDS: &[&str] = &["a", "a", "a", "of", "of", "rent", "renters", "tax", "東京都", "Crème"];
/// What is asked.
const QUERIES: &[&str] = &[
    "a",
    "of",
    "a of",
    "rent",
    "rent*",
    "re*",
    "\"a of\"",
    "\"of a\"",
    "\"a a a\"",
    "\"of ren\"*",
    "tax -of",
    "-a",
    "-rent*",
    "a of tax",
    "東京",
    "creme",
    "folder1",
    "folder1 rent",
    "\"folder2 rent\"",
    "file3",
    "a -folder0",
    "absent",
    "a absent",
    "-absent",
    "\"tax rent\" -\"a a\"",
    "txt",
];

/// A generator of the same numbers for the same seed (Knuth's constants).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn text(&mut self) -> String {
        let length = self.below(12);
        (0..length).map(|_| WORDS[self.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
    }
}

/// Changes some files, in the folder and in what is known of it.
fn change(folder: &Resource<'_>, files: &mut BTreeMap<String, String>, chance: &mut Chance) {
    for _ in 0..12 {
        let key =
            format!("folder{}/{} file{}.txt", chance.below(3), WORDS[chance.below(8)], chance.below(60));
        if chance.below(4) == 0 {
            if files.remove(&key).is_some() {
                folder.remove(&key);
            }
            continue;
        }
        let text = chance.text();
        folder.write(&key, &text);
        files.insert(key, text);
    }
}

fn says(tokens: &[String], atom: &Atom) -> bool {
    tokens.windows(atom.tokens.len()).any(|window| {
        let (last, before) = atom.tokens.split_last().unwrap();
        let (said, said_before) = window.split_last().unwrap();
        said_before == before && if atom.prefix { said.starts_with(last.as_str()) } else { said == last }
    })
}

/// The first key of every content that matches.
fn expected(files: &BTreeMap<String, String>, query: &Query) -> BTreeSet<String> {
    let mut contents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (key, text) in files {
        contents.entry(text).or_default().push(key);
    }
    let matches = |(text, keys): &(&str, Vec<&str>)| {
        let said: Vec<Vec<String>> = keys.iter().copied().chain([*text]).map(tokens).collect();
        let found = |atom: &Atom| said.iter().any(|tokens| says(tokens, atom));
        query.required.iter().all(found) && !query.excluded.iter().any(found)
    };
    contents.into_iter().filter(matches).map(|(_, keys)| keys[0].to_owned()).collect()
}

async fn compare(house: &House, files: &BTreeMap<String, String>) {
    let caller = Arc::new(house.member());
    for query in QUERIES {
        let arguments =
            SelectorArguments { query: Some((*query).to_owned()), ..SelectorArguments::default() };
        let asked = SearchThings { selector: arguments.parse().unwrap(), limit: 200, cursor: None };
        let found = search_things(&house.things, &caller, &asked).await.unwrap();
        let keys: BTreeSet<String> =
            found.things.iter().map(|thing| thing.references[0].key.clone()).collect();
        assert_eq!(keys, expected(files, &query.parse().unwrap()), "{query}");
        assert_eq!((found.total, found.total_is_lower_bound), (keys.len(), false), "{query}");
    }
}

on_both! {
    async fn a_search_finds_what_going_through_everything_finds(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        let (mut files, mut chance) = (BTreeMap::new(), Chance(7));
        // So often that segments of the index are merged, with what died in them, more than once.
        for round in 0..24 {
            change(&folder, &mut files, &mut chance);
            folder.sync().await;
            if round % 4 == 3 {
                compare(&house, &files).await;
            }
        }
        things::rebuild(&house.test.db, house.ambient()).await.unwrap();
        compare(&house, &files).await;
    }
}
