//! Large files: named first, read later.

use sqlx::query_scalar;
use stoa_base::Id;
use stoa_store::on;
use stoa_testing::on_both;

use super::snapshot::snapshot;
use crate::house::{House, MIGRATIONS, fate};

on_both! {
    async fn a_large_file_is_read_in_the_end_and_its_text_taken_out(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a.txt", format!("Words. {}", "x".repeat(2 << 20)));
        folder.write("b.txt", "small");
        folder.sync().await;
        let text = snapshot(&house.test.db).await;
        assert!(text.contains("length Some(2097159)") && !text.contains("-> - "), "{text}");
    }
}

on_both! {
    async fn a_large_copy_turns_out_to_be_the_older_thing_and_its_first_id_stays_valid(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", vec![b'x'; 2 << 20]);
        folder.sync().await;
        let thing = folder.thing("a").await.unwrap();
        folder.write("b", vec![b'x'; 2 << 20]);
        folder.write("c", vec![b'x'; 2 << 20]);
        folder.sync().await;
        assert_eq!((folder.thing("b").await, folder.thing("c").await), (Some(thing), Some(thing)));
        let aliases: Vec<sqlx::types::Uuid> = on!(read house.test.db, c =>
            query_scalar("SELECT alias_id FROM thing_alias").fetch_all(c).await).unwrap();
        assert_eq!(aliases.len(), 2);
        assert_eq!(fate(&house, thing).await, (false, None));
        assert!(aliases.iter().all(|alias| Id::from_uuid(*alias) != thing));
        assert!(!snapshot(&house.test.db).await.contains("FAULT"));
    }
}

on_both! {
    async fn a_large_file_that_changed_supersedes_and_one_that_was_touched_does_not(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", vec![b'x'; 2 << 20]);
        folder.sync().await;
        let old = folder.thing("a").await.unwrap();
        folder.touch("a");
        folder.sync().await;
        assert_eq!(folder.thing("a").await, Some(old));
        folder.write("a", vec![b'y'; 2 << 20]);
        folder.sync().await;
        let new = folder.thing("a").await.unwrap();
        assert_ne!(new, old);
        assert_eq!(fate(&house, old).await, (true, Some(new)));
        let text = snapshot(&house.test.db).await;
        assert!(!text.contains("FAULT") && !text.contains("-> - "), "{text}");
    }
}
