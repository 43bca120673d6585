//! Reading one thing.

use std::sync::Arc;

use stoa_base::Id;
use stoa_testing::on_both;
use things::operations::ThingsError;
use things::operations::get_thing::get_thing;

use crate::house::{House, MIGRATIONS};

on_both! {
    async fn a_long_text_is_read_on_from_where_a_page_ended(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        let text = (0..5_000).map(|number| format!("żółć {number}")).collect::<Vec<_>>().join(" ");
        folder.write("long.txt", &text);
        folder.sync().await;
        let (caller, id) = (Arc::new(house.member()), folder.thing("long.txt").await.unwrap());
        let (mut read, mut offset) = (String::new(), Some(0));
        while let Some(from) = offset {
            let page = get_thing(&house.things, &caller, id, from).await.unwrap();
            let body = page.body.unwrap();
            assert!(body.chars().count() <= 8_000);
            assert_eq!(page.body_truncated, page.next_offset.is_some());
            read.push_str(&body);
            offset = page.next_offset;
        }
        assert_eq!(read, text);
        let beyond = get_thing(&house.things, &caller, id, 1_000_000).await.unwrap();
        assert_eq!((beyond.body.as_deref(), beyond.next_offset), (Some(""), None));
        let middle = get_thing(&house.things, &caller, id, 7_995).await.unwrap();
        assert!(text.contains(&middle.body.unwrap()));
    }
}

on_both! {
    async fn what_is_known_of_a_thing_is_said_with_each_reference(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a.html", "<title>Report</title><p>text");
        folder.write("b/copy.html", "<title>Report</title><p>text");
        folder.sync().await;
        let id = folder.thing("a.html").await.unwrap();
        let thing = get_thing(&house.things, &Arc::new(house.member()), id, 0).await.unwrap();
        assert_eq!((thing.title.as_str(), thing.mime.as_str(), thing.state), ("Report", "text/html", "present"));
        assert_eq!(thing.hash.unwrap(), blake3::hash(b"<title>Report</title><p>text").to_hex().as_str());
        let keys: Vec<_> = thing.references.iter().map(|reference| reference.key.as_str()).collect();
        assert_eq!(keys, ["a.html", "b/copy.html"]);
        for reference in &thing.references {
            let steps: Vec<_> = reference.analysis.iter().map(|s| (s.step.as_str(), s.status.as_str())).collect();
            assert_eq!(steps, [("identify", "done"), ("text", "done")]);
        }
    }
}

on_both! {
    async fn many_copies_with_long_names_do_not_fill_the_answer(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        let long = format!("{0}/{0}/{0}", "n".repeat(200));
        for copy in 0..100 {
            folder.write(format!("{long}/{copy:03}.txt"), "the same everywhere");
        }
        folder.sync().await;
        let id = folder.thing(&format!("{long}/000.txt")).await.unwrap();
        let thing = get_thing(&house.things, &Arc::new(house.member()), id, 0).await.unwrap();
        assert_eq!(thing.reference_count, 100);
        assert!((1..100).contains(&thing.references.len()));
        assert!(serde_json::to_string(&thing).unwrap().len() <= 64 * 1024);
    }
}

on_both! {
    async fn a_thing_that_is_gone_says_so_and_names_what_took_its_place(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("note.txt", "before");
        folder.sync().await;
        let before = folder.thing("note.txt").await.unwrap();
        folder.write("note.txt", "after the change");
        folder.sync().await;
        let after = folder.thing("note.txt").await.unwrap();
        let caller = Arc::new(house.member());
        let gone = get_thing(&house.things, &caller, before, 0).await.unwrap();
        assert_eq!((gone.state, gone.superseded_by), ("gone", Some(after)));
        assert_eq!((gone.references.len(), gone.title.as_str()), (0, "note"));
        let far = house.member_reaching(&[]);
        let hidden = get_thing(&house.things, &far, before, 0).await;
        assert!(matches!(hidden, Err(ThingsError::NotFound { .. })));
    }
}

on_both! {
    async fn foreign_unreachable_and_unknown_ids_are_refused_alike(test) with MIGRATIONS; {
        let house = House::new(test);
        let (mine, theirs) = (house.add("mine").await, house.add("theirs").await);
        mine.write("a.txt", "mine");
        theirs.write("b.txt", "theirs");
        mine.sync().await;
        theirs.sync().await;
        let id = theirs.thing("b.txt").await.unwrap();
        let near = house.member_reaching(&[mine.id]);
        let stranger = Arc::new(house.member_of(Id::new(house.ambient())));
        let unknown = get_thing(&house.things, &near, Id::new(house.ambient()), 0).await.unwrap_err();
        for caller in [near, stranger] {
            let refused = get_thing(&house.things, &caller, id, 0).await.unwrap_err();
            assert_eq!(refused.to_string(), unknown.to_string());
        }
    }
}
