//! What becomes of things when their folder changes.

use stoa_testing::on_both;

use super::snapshot::snapshot;
use crate::house::{House, MIGRATIONS, fate};

on_both! {
    async fn changed_content_is_a_new_thing_that_supersedes_the_old_one(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", "one");
        folder.sync().await;
        let old = folder.thing("a").await.unwrap();
        folder.write("a", "two");
        assert_eq!(folder.sync().await["changed"], 1);
        let new = folder.thing("a").await.unwrap();
        assert_ne!(new, old);
        assert_eq!(fate(&house, old).await, (true, Some(new)));
        folder.write("a", "one");
        folder.sync().await;
        assert_eq!(folder.thing("a").await, Some(old));
        assert_eq!(fate(&house, old).await, (false, None));
        assert_eq!(fate(&house, new).await, (true, Some(old)));
        assert!(!snapshot(&house.test.db).await.contains("FAULT"));
    }
}

on_both! {
    async fn a_touched_file_is_the_same_thing(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", "one");
        folder.sync().await;
        let thing = folder.thing("a").await;
        folder.touch("a");
        assert_eq!(folder.sync().await["changed"], 1);
        assert_eq!(folder.thing("a").await, thing);
        assert_eq!(folder.sync().await["unchanged"], 1);
    }
}

on_both! {
    async fn a_renamed_file_and_a_moved_folder_keep_their_things(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("z/one.txt", "one");
        folder.write("z/two.txt", "two");
        folder.write("large", vec![b'x'; 2 << 20]);
        folder.sync().await;
        let things =
            [folder.thing("z/one.txt").await, folder.thing("z/two.txt").await, folder.thing("large").await];
        folder.rename("z", "a/b");
        folder.rename("a/b/two.txt", "a/b/2.txt");
        folder.rename("large", "big");
        let counts = folder.sync().await;
        assert_eq!((&counts["added"], &counts["removed"]), (&3.into(), &3.into()));
        let now = [folder.thing("a/b/one.txt").await, folder.thing("a/b/2.txt").await, folder.thing("big").await];
        assert_eq!(now, things);
        assert_eq!(folder.thing("z/one.txt").await, None);
        let text = snapshot(&house.test.db).await;
        assert!(!text.contains("FAULT") && !text.contains("gone true"), "{text}");
    }
}

on_both! {
    async fn a_deleted_file_is_gone_and_forgotten_after_thirty_days(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", "one");
        folder.write("b", "two");
        folder.sync().await;
        let thing = folder.thing("a").await.unwrap();
        folder.remove("a");
        assert_eq!(folder.sync().await["removed"], 1);
        assert_eq!(fate(&house, thing).await, (true, None));
        let day = std::time::Duration::from_hours(24);
        for (days, left) in [(29, 2), (2, 1)] {
            house.clock.advance(day * days);
            things::runs::prune(&house.test.db, house.ambient()).await.unwrap();
            assert_eq!(house.number("SELECT COUNT(*) FROM thing").await, left);
        }
        assert!(!snapshot(&house.test.db).await.contains("FAULT"));
    }
}

on_both! {
    async fn the_same_bytes_in_two_places_are_one_thing_until_both_are_gone(test) with MIGRATIONS; {
        let house = House::new(test);
        let (one, other) = (house.add("one").await, house.add("other").await);
        one.write("a", "same");
        one.write("b", "same");
        other.write("c", "same");
        one.sync().await;
        other.sync().await;
        let thing = one.thing("a").await.unwrap();
        assert_eq!((one.thing("b").await, other.thing("c").await), (Some(thing), Some(thing)));
        assert_eq!(house.number("SELECT COUNT(*) FROM thing").await, 1);
        for (folder, key) in [(&one, "a"), (&other, "c"), (&one, "b")] {
            assert_eq!(fate(&house, thing).await, (false, None));
            folder.remove(key);
            folder.sync().await;
        }
        assert_eq!(fate(&house, thing).await, (true, None));
    }
}

on_both! {
    async fn a_folder_in_a_files_place_and_a_file_in_a_folders(test) with MIGRATIONS; {
        let house = House::new(test);
        let folder = house.add("docs").await;
        folder.write("a", "file a");
        folder.write("b/c", "file c");
        folder.sync().await;
        folder.remove("a");
        folder.write("a/x", "file x");
        folder.remove("b/c");
        std::fs::remove_dir(folder.path.join("b")).unwrap();
        folder.write("b", "file b");
        let counts = folder.sync().await;
        assert_eq!((&counts["added"], &counts["removed"]), (&2.into(), &2.into()));
        let text = snapshot(&house.test.db).await;
        assert!(text.contains("\"a/x\"") && text.contains("\"b\"") && !text.contains("FAULT"), "{text}");
    }
}

on_both! {
    async fn syncs_that_run_side_by_side_and_share_contents_do_not_fail_each_other(test) with MIGRATIONS; {
        let house = House::new(test);
        let (one, other) = (house.add("one").await, house.add("other").await);
        for n in 0..250 {
            one.write(format!("{n:03}"), format!("content {n}"));
            other.write(format!("{:03}", 250 - n), format!("content {n}"));
        }
        tokio::join!(one.sync(), other.sync());
        assert_eq!(house.number("SELECT COUNT(*) FROM thing").await, 250);
        for n in 0..250 {
            one.write(format!("{n:03}"), format!("content {}", n + 100));
            other.write(format!("{:03}", 250 - n), format!("content {}", n + 100));
        }
        tokio::join!(one.sync(), other.sync());
        assert_eq!(house.number("SELECT COUNT(*) FROM thing WHERE gone_at IS NULL").await, 250);
        assert!(!snapshot(&house.test.db).await.contains("FAULT"));
    }
}
