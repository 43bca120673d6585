use std::collections::BTreeSet;
use std::io;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use stoa_store::blob::{BlobError, Blobs, S3Config, content_key};
use stoa_testing::TestBucket;

/// Writes one test for each storage from one body.
macro_rules! on_each {
    (async fn $name:ident($blobs:ident) $body:block) => {
        mod $name {
            use super::*;

            async fn body($blobs: Blobs) $body

            #[tokio::test]
            async fn folder() {
                let folder = tempfile::tempdir().unwrap();
                body(Blobs::folder(folder.path()).unwrap()).await;
            }

            #[tokio::test]
            async fn s3() {
                let bucket = TestBucket::start().await;
                body(Blobs::s3(&bucket.config).unwrap()).await;
            }
        }
    };
}

async fn keys(blobs: &Blobs, prefix: &str) -> BTreeSet<String> {
    blobs.list(prefix).await.unwrap().try_collect().await.unwrap()
}

on_each! {
    async fn what_was_put_is_there(blobs) {
        blobs.put("a/b c/ü.txt", Bytes::from("one")).await.unwrap();
        assert_eq!(blobs.get("a/b c/ü.txt").await.unwrap(), Some(Bytes::from("one")));
        assert_eq!(blobs.length("a/b c/ü.txt").await.unwrap(), Some(3));
        blobs.put("a/b c/ü.txt", Bytes::from("other")).await.unwrap();
        assert_eq!(blobs.get("a/b c/ü.txt").await.unwrap(), Some(Bytes::from("other")));
    }
}

on_each! {
    async fn what_is_not_there_is_none(blobs) {
        blobs.put("a/b", Bytes::from("one")).await.unwrap();
        for key in ["c", "a/c", "a/c/d"] {
            assert_eq!(blobs.get(key).await.unwrap(), None, "{key}");
            assert_eq!(blobs.get_range(key, 0..1).await.unwrap(), None, "{key}");
            blobs.delete(key).await.unwrap();
        }
        assert_eq!(blobs.get("a/b").await.unwrap(), Some(Bytes::from("one")));
    }
}

on_each! {
    async fn an_empty_blob_is_a_blob(blobs) {
        blobs.put("empty", Bytes::new()).await.unwrap();
        assert_eq!(blobs.get("empty").await.unwrap(), Some(Bytes::new()));
        assert_eq!(blobs.get_range("empty", 0..10).await.unwrap(), Some(Bytes::new()));
    }
}

on_each! {
    async fn a_range_ends_at_the_end(blobs) {
        blobs.put("digits", Bytes::from("0123456789")).await.unwrap();
        for (range, expected) in [(0..3, "012"), (3..7, "3456"), (7..99, "789"), (4..4, ""), (10..20, ""), (50..60, "")] {
            let found = blobs.get_range("digits", range.clone()).await.unwrap();
            assert_eq!(found, Some(Bytes::from(expected)), "{range:?}");
        }
    }
}

on_each! {
    async fn content_is_written_once(blobs) {
        let key = content_key(&blake3::hash(b"content"));
        assert!(blobs.put_new(&key, Bytes::from("content")).await.unwrap());
        assert!(!blobs.put_new(&key, Bytes::from("content")).await.unwrap());
        assert_eq!(blobs.get(&key).await.unwrap(), Some(Bytes::from("content")));
    }
}

on_each! {
    async fn a_stream_is_written_in_parts(blobs) {
        let chunk = Bytes::from(vec![7; 1024 * 1024]);
        let chunks = stream::iter(vec![chunk; 20]).map(Ok);
        assert_eq!(blobs.put_stream("long", chunks).await.unwrap(), 20 * 1024 * 1024);
        assert_eq!(blobs.length("long").await.unwrap(), Some(20 * 1024 * 1024));
        assert_eq!(blobs.put_stream("none", stream::empty()).await.unwrap(), 0);
        assert_eq!(blobs.length("none").await.unwrap(), Some(0));
    }
}

on_each! {
    async fn a_stream_that_breaks_off_leaves_what_was_there(blobs) {
        blobs.put("kept", Bytes::from("before")).await.unwrap();
        for key in ["kept", "new"] {
            let broken = || Err(io::Error::other("gone"));
            let chunks = stream::iter([Ok(Bytes::from("half")), broken()]);
            assert!(matches!(blobs.put_stream(key, chunks).await, Err(BlobError::Source(_))));
        }
        assert_eq!(blobs.get("kept").await.unwrap(), Some(Bytes::from("before")));
        assert_eq!(keys(&blobs, "").await, BTreeSet::from(["kept".to_owned()]));
    }
}

on_each! {
    async fn a_list_names_what_is_below_a_folder(blobs) {
        for key in ["a/1", "a/b/2", "ab/3", "4"] {
            blobs.put(key, Bytes::from("x")).await.unwrap();
        }
        assert_eq!(keys(&blobs, "a").await, BTreeSet::from(["a/1", "a/b/2"].map(str::to_owned)));
        assert_eq!(keys(&blobs, "").await.len(), 4);
        assert!(keys(&blobs, "none").await.is_empty());
        blobs.delete("a/1").await.unwrap();
        assert_eq!(keys(&blobs, "a").await.len(), 1);
    }
}

on_each! {
    async fn no_operation_takes_a_key_that_leaves_the_root(blobs) {
        let bad = "a/../../b";
        let results = [
            blobs.put(bad, Bytes::new()).await.err(),
            blobs.put_new(bad, Bytes::new()).await.err(),
            blobs.put_stream(bad, stream::empty()).await.err(),
            blobs.get(bad).await.err(),
            blobs.get_range(bad, 0..1).await.err(),
            blobs.length(bad).await.err(),
            blobs.delete(bad).await.err(),
            blobs.list(bad).await.err(),
        ];
        assert!(results.iter().all(|error| matches!(error, Some(BlobError::Key(_)))));
    }
}

#[tokio::test]
async fn a_folder_that_blobs_lie_in_is_no_blob() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::folder(folder.path()).unwrap();
    blobs.put("a/b", Bytes::from("one")).await.unwrap();
    assert_eq!(blobs.get("a").await.unwrap(), None);
    assert_eq!(blobs.length("a").await.unwrap(), None);
    blobs.delete("a").await.unwrap();
    assert_eq!(blobs.get("a/b").await.unwrap(), Some(Bytes::from("one")));
}

#[tokio::test]
async fn no_half_written_file_is_left_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::folder(folder.path()).unwrap();
    let chunks = stream::iter([Ok(Bytes::from("half")), Err(io::Error::other("gone"))]);
    blobs.put_stream("a/b", chunks).await.unwrap_err();
    assert_eq!(std::fs::read_dir(folder.path().join("incoming")).unwrap().count(), 0);
}

#[test]
fn debug_shows_no_secret() {
    let config = S3Config {
        endpoint: None,
        bucket: "stoa".to_owned(),
        region: "eu-west-1".to_owned(),
        access_key: "AKIA123".to_owned(),
        secret_key: "hunter2".to_owned(),
        prefix: String::new(),
    };
    let shown = format!("{config:?} {:?}", Blobs::s3(&config).unwrap());
    assert!(!shown.contains("hunter2") && !shown.contains("AKIA123"), "{shown}");
}
