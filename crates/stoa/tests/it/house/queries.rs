//! Every query of every crate is declared, and is one that both databases take.

use std::path::{Path, PathBuf};

use sqlx::{Executor, SqlSafeStr};
use stoa_store::Declared;
use stoa_store::database::Backend;
use stoa_testing::on_both;

use crate::support::MIGRATIONS;

/// What each crate declares.
fn declared() -> impl Iterator<Item = &'static Declared> {
    let crates =
        [stoa_store::QUERIES, stoa_identity::QUERIES, stoa_runs::QUERIES, stoa_mcp::QUERIES, things::QUERIES];
    crates.into_iter().flatten().copied().flatten()
}

on_both! {
    async fn every_declared_query_can_be_prepared(test) with MIGRATIONS; {
        let mut faults = Vec::new();
        for query in declared() {
            let text = test.db.dialect().text(&query.text).into_sql_str();
            let prepared = match test.db.backend() {
                Backend::Sqlite { read, .. } => read.acquire().await.unwrap().prepare(text).await.map(drop),
                Backend::Postgres(pool) => pool.acquire().await.unwrap().prepare(text).await.map(drop),
            };
            if let Err(error) = prepared {
                faults.push(format!("{}: {error}", query.name));
            }
        }
        assert_eq!(faults, Vec::<String>::new());
        assert!(declared().count() > 100, "the lists are not empty");
    }
}

/// SQL stands in `queries!` only, where the test above sees it: a literal handed to sqlx would escape it.
#[test]
fn no_query_is_written_where_it_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut faults = Vec::new();
    for file in sources(&root.join("crates")).into_iter().chain(sources(&root.join("services"))) {
        let text = std::fs::read_to_string(&file).unwrap();
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        for call in ["query(\"", "query_as(\"", "query_scalar(\""] {
            if product.contains(call) {
                faults.push(format!("{}: {call}", file.display()));
            }
        }
    }
    assert_eq!(faults, Vec::<String>::new());
}

/// The Rust files of every crate's `src` below this folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("src")).collect();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    found
}
