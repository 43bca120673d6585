//! Searching: what is found, in which order, and for whom.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use stoa_identity::Caller;
use stoa_testing::on_both;
use things::Effort;
use things::model::SelectorArguments;
use things::operations::ThingsError;
use things::operations::search_things::{Found, SearchThings, search_things};

use crate::house::{House, MIGRATIONS};

/// Asks with these arguments.
async fn ask(house: &House, caller: &Arc<Caller>, arguments: SelectorArguments, limit: usize) -> Found {
    let asked = SearchThings { selector: arguments.parse().unwrap(), limit, cursor: None };
    search_things(&house.things, caller, &asked).await.unwrap()
}

fn words(query: &str) -> SelectorArguments {
    SelectorArguments { query: Some(query.to_owned()), ..SelectorArguments::default() }
}

/// The first key of each thing that the query finds, in order.
async fn keys(house: &House, query: &str) -> Vec<String> {
    let found = ask(house, &Arc::new(house.member()), words(query), 50).await;
    keys_of(&found)
}

fn keys_of(found: &Found) -> Vec<String> {
    found.things.iter().map(|thing| thing.references[0].key.clone()).collect()
}

fn sorted(mut keys: Vec<String>) -> Vec<String> {
    keys.sort();
    keys
}

on_both! {
    async fn words_phrases_exclusions_and_prefixes_find_what_they_say(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a.txt", "the annual tax return of Zoë");
        folder.write("b.txt", "a return of the tax, revised");
        folder.write("c.txt", "nothing of interest");
        folder.sync().await;
        assert_eq!(sorted(keys(&house, "tax return").await), ["a.txt", "b.txt"]);
        assert_eq!(keys(&house, "\"tax return\"").await, ["a.txt"]);
        assert_eq!(keys(&house, "tax -annual").await, ["b.txt"]);
        assert_eq!(keys(&house, "-tax").await, ["c.txt"]);
        assert_eq!(sorted(keys(&house, "ret*").await), ["a.txt", "b.txt"]);
        assert_eq!(keys(&house, "\"tax ret\"*").await, ["a.txt"]);
        assert_eq!(keys(&house, "ZOE").await, ["a.txt"]);
        assert_eq!(keys(&house, "ret").await, Vec::<String>::new());
        assert_eq!(keys(&house, "and or not near").await, Vec::<String>::new());
    }
}

on_both! {
    async fn a_query_matches_a_thing_as_a_whole(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        // Longer than one unit of the index, with a word at each end and a phrase in the middle.
        let filler: Vec<String> = (0..24_000).map(|number| format!("filler{number}")).collect();
        folder.write("2024/invoice.txt", format!("aardvark {} zebra", filler.join(" ")));
        folder.write("copies/ledger.txt", "shared content");
        folder.write("archive/book.txt", "shared content");
        folder.sync().await;
        assert_eq!(keys(&house, "aardvark zebra").await, ["2024/invoice.txt"]);
        assert_eq!(keys(&house, "invoice 2024 zebra").await, ["2024/invoice.txt"]);
        assert_eq!(keys(&house, "\"filler9999 filler10000 filler10001\"").await, ["2024/invoice.txt"]);
        // One word in the path of one reference, the other in the path of another.
        assert_eq!(keys(&house, "ledger book shared").await.len(), 1);
        assert_eq!(keys(&house, "aardvark shared").await.len(), 0);
    }
}

on_both! {
    async fn the_best_place_of_a_word_decides_the_order(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        let padding = "lorem ipsum dolor sit amet consectetur ".repeat(20);
        folder.write("1.html", format!("<title>Other</title><p>{padding} harbour {padding}"));
        folder.write("2.html", format!("<title>Else</title><p>{padding} {} ", "harbour wall ".repeat(30)));
        folder.write("harbour/3.html", format!("<title>More</title><p>{padding} three"));
        folder.write("4.html", format!("<title>The Harbour</title><p>{padding} four"));
        folder.sync().await;
        assert_eq!(keys(&house, "harbour").await, ["4.html", "harbour/3.html", "2.html", "1.html"]);
    }
}

on_both! {
    async fn of_two_texts_with_the_phrase_the_shorter_comes_first(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("page.html", "<p>ownership is a set of rules");
        folder.write("zz everything.html", format!("<p>{} ownership is a set of rules", "other ".repeat(9_000)));
        folder.sync().await;
        assert_eq!(keys(&house, "\"set of rules\"").await, ["page.html", "zz everything.html"]);
    }
}

on_both! {
    async fn without_a_query_the_newest_come_first_and_the_selector_narrows(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("2024/invoices/a.txt", "one");
        folder.write("2024/invoices-old/b.txt", "two");
        folder.sync().await;
        house.clock.advance(Duration::from_hours(1));
        folder.write("2024/invoices/c.html", "<p>three");
        folder.sync().await;
        let caller = Arc::new(house.member());
        let all = ask(&house, &caller, SelectorArguments::default(), 50).await;
        assert_eq!(keys_of(&all)[0], "2024/invoices/c.html");
        assert_eq!((all.total, all.total_is_lower_bound), (3, false));
        let narrowed = |arguments: SelectorArguments| {
            let (house, caller) = (&house, &caller);
            async move { sorted(keys_of(&ask(house, caller, arguments, 50).await)) }
        };
        let none = SelectorArguments::default;
        let folder = SelectorArguments { folder: Some("2024/invoices".to_owned()), ..none() };
        assert_eq!(narrowed(folder).await, ["2024/invoices/a.txt", "2024/invoices/c.html"]);
        let kind = SelectorArguments { kind: Some("web".to_owned()), ..none() };
        assert_eq!(narrowed(kind).await, ["2024/invoices/c.html"]);
        let since = SelectorArguments { since: Some("2026-01-01T01:00:00Z".to_owned()), ..none() };
        assert_eq!(narrowed(since).await, ["2024/invoices/c.html"]);
        let before = SelectorArguments { before: Some("2026-01-01T01:00:00Z".to_owned()), ..words("txt") };
        assert_eq!(narrowed(before).await, ["2024/invoices-old/b.txt", "2024/invoices/a.txt"]);
    }
}

on_both! {
    async fn pages_neither_skip_nor_repeat_while_a_sync_adds_more(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        for number in 0..40 {
            folder.write(format!("{number}.txt"), format!("{number} common words {}", "common ".repeat(number % 5)));
        }
        folder.sync().await;
        let caller = Arc::new(house.member());
        for query in [Some("common"), None] {
            let arguments = SelectorArguments { query: query.map(str::to_owned), ..SelectorArguments::default() };
            let selector = arguments.parse().unwrap();
            let mut asked = SearchThings { selector, limit: 7, cursor: None };
            let (mut seen, mut total) = (Vec::new(), None);
            for page in 0.. {
                let found = search_things(&house.things, &caller, &asked).await.unwrap();
                assert_eq!(*total.get_or_insert(found.total), found.total);
                seen.extend(keys_of(&found));
                folder.write(format!("later {query:?} {page}.txt"), format!("common {query:?} {page}"));
                folder.sync().await;
                asked.cursor = found.next_cursor;
                if asked.cursor.is_none() {
                    break;
                }
            }
            let once: BTreeSet<_> = seen.iter().collect();
            assert_eq!(once.len(), seen.len(), "{query:?} repeats");
            assert!((0..40).all(|number| once.contains(&format!("{number}.txt"))), "{query:?} skips");
            assert!(!seen.iter().any(|key| key.contains(&format!("later {query:?}"))), "{query:?} moved");
        }
    }
}

/// Everything that a query finds, page by page, and how many pages were empty.
async fn all_pages(house: &House, query: &str, limit: usize) -> (Vec<String>, usize) {
    let caller = Arc::new(house.member());
    let mut asked = SearchThings { selector: words(query).parse().unwrap(), limit, cursor: None };
    let (mut seen, mut empty) = (Vec::new(), 0);
    for _ in 0..200 {
        let found = search_things(&house.things, &caller, &asked).await.unwrap();
        assert!(found.things.len() <= limit);
        empty += usize::from(found.things.is_empty());
        seen.extend(keys_of(&found));
        asked.cursor = found.next_cursor;
        if asked.cursor.is_none() {
            return (seen, empty);
        }
    }
    panic!("the pages of {query} have no end");
}

on_both! {
    async fn a_window_that_was_costly_ends_early_and_its_pages_go_on(test) with MIGRATIONS; {
        let effort = Effort { enough: 5, costly: 1, first_look: 8, ..Effort::default() };
        let house = House::searching(test, effort);
        let folder = house.add("docs").await;
        let keys: Vec<String> = (0..60).map(|number| format!("{number:02}.txt")).collect();
        for key in &keys {
            folder.write(key, format!("{key} common"));
        }
        folder.sync().await;
        let first = ask(&house, &Arc::new(house.member()), words("common"), 50).await;
        assert!(first.things.len() < 40, "{}", first.things.len());
        assert!(first.total_is_lower_bound && first.total >= 5);
        for limit in [1, 3, 7, 200] {
            assert_eq!(sorted(all_pages(&house, "common", limit).await.0), keys);
        }
    }
}

on_both! {
    async fn an_answer_that_has_read_much_ends_with_a_cursor_even_without_a_match(test) with MIGRATIONS; {
        let house = House::searching(test, Effort { first_look: 2, answer_bytes: 1, ..Effort::default() });
        let folder = house.add("docs").await;
        folder.write("old.txt", "common needle");
        for number in 0..40 {
            folder.write(format!("{number:02}.txt"), format!("{number} common"));
        }
        folder.sync().await;
        // Both have to be read, and only the oldest thing has both.
        let (seen, empty) = all_pages(&house, "needle common", 50).await;
        assert_eq!(seen, ["old.txt"]);
        let (all, _) = all_pages(&house, "common", 50).await;
        assert_eq!(sorted(all).len(), 41);
        assert!(empty <= 41);
    }
}

on_both! {
    async fn a_cursor_is_good_for_its_own_question_and_installation_only(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        for number in 0..4 {
            folder.write(format!("{number}.txt"), format!("word {number}"));
        }
        folder.sync().await;
        let caller = Arc::new(house.member());
        let first = ask(&house, &caller, words("word"), 2).await;
        let asked = |query: &str, cursor: &Option<String>| SearchThings {
            selector: words(query).parse().unwrap(), limit: 2, cursor: cursor.clone(),
        };
        let go_on = asked("word", &first.next_cursor);
        assert!(search_things(&house.things, &caller, &go_on).await.is_ok());
        let other_question = asked("txt", &first.next_cursor);
        let stranger = Arc::new(house.member());
        for (caller, asked) in [(&caller, &other_question), (&stranger, &go_on)] {
            let refused = search_things(&house.things, caller, asked).await;
            assert!(matches!(refused, Err(ThingsError::Argument(_))), "{refused:?}");
        }
    }
}

on_both! {
    async fn the_total_is_exact_up_to_a_thousand(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        for number in 0..1_001 {
            folder.write(format!("{number}.txt"), format!("common {number} half{}", number % 2));
        }
        folder.sync().await;
        let caller = Arc::new(house.member());
        for arguments in [words("common"), SelectorArguments::default()] {
            let found = ask(&house, &caller, arguments, 1).await;
            assert_eq!((found.total, found.total_is_lower_bound), (1_000, true));
        }
        let half = ask(&house, &caller, words("half1"), 1).await;
        assert_eq!((half.total, half.total_is_lower_bound), (500, false));
    }
}

on_both! {
    async fn reach_hides_references_and_what_is_only_there(test) with MIGRATIONS; {
        let house = House::new(test);
        let (mine, theirs) = (house.add("mine").await, house.add("theirs").await);
        mine.write("shared.txt", "the same bytes");
        mine.write("own.txt", "only mine");
        theirs.write("confidential.txt", "the same bytes");
        theirs.write("secret.txt", "only theirs");
        mine.sync().await;
        theirs.sync().await;
        let near = house.member_reaching(&[mine.id]);
        let found = ask(&house, &near, SelectorArguments::default(), 50).await;
        assert_eq!(sorted(keys_of(&found)), ["own.txt", "shared.txt"]);
        assert_eq!(found.total, 2);
        assert_eq!((found.completeness.synced, found.completeness.of), (1, 1));
        let same = ask(&house, &near, words("bytes"), 50).await;
        assert_eq!(same.things[0].references.len(), 1);
        assert_eq!(same.things[0].reference_count, 1);
        // The path of a copy out of reach finds nothing.
        assert_eq!(ask(&house, &near, words("confidential"), 50).await.total, 0);
        let everywhere = ask(&house, &Arc::new(house.member()), words("confidential"), 50).await;
        assert_eq!(everywhere.things[0].reference_count, 2);
    }
}

on_both! {
    async fn another_tenant_finds_nothing(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a.txt", "word");
        folder.sync().await;
        let stranger = Arc::new(house.member_of(stoa_base::Id::new(house.ambient())));
        for arguments in [words("word"), SelectorArguments::default()] {
            let found = ask(&house, &stranger, arguments, 50).await;
            assert_eq!((found.things.len(), found.total, found.completeness.of), (0, 0, 0));
        }
    }
}

on_both! {
    async fn the_snippet_shows_the_match_however_far_into_the_text(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("far.txt", format!("{} the needle is here", "hay ".repeat(10_000)));
        folder.sync().await;
        let found = ask(&house, &Arc::new(house.member()), words("needle"), 1).await;
        assert!(found.things[0].snippet.as_deref().unwrap().contains("needle is here"));
    }
}
