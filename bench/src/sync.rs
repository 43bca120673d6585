//! Cataloging a folder: the first sync, and one after which nothing had changed.

use std::path::Path;
use std::time::Duration;

use crate::peers::files::{Work, work};
use crate::place::Place;
use crate::table::{Row, Table, count};
use crate::tree::Tree;
use crate::{Bench, Outcome};

/// Files a second: 100,000 in 60 s.
const FIRST: f64 = 100_000.0 / 60.0;
/// Files a second: 100,000 in 5 s.
const UNCHANGED: f64 = 100_000.0 / 5.0;

/// Some work over the folder.
struct Pass {
    files: u32,
    took: Duration,
}

impl Pass {
    fn per_second(&self) -> f64 {
        f64::from(self.files) / self.took.as_secs_f64()
    }

    fn row(&self, what: String, peer: &Self, bar: f64) -> Row {
        let speed = self.per_second();
        Row::new(what, format!("{} files/s", count(speed)))
            .peer(format!("{} files/s", count(peer.per_second())), speed / peer.per_second())
            .bar(format!(">= {}/s", count(bar)), speed >= bar)
            .note(format!("{} files in {:.1} s", count(f64::from(self.files)), self.took.as_secs_f64()))
    }
}

pub async fn measure(bench: &Bench, table: &mut Table) -> Outcome<()> {
    let tree = Tree::of(bench)?;
    // The first pass only brings the files into memory, where all of the following find them.
    peer(bench, Work::Hash, tree.path()).await?;
    let hash = peer(bench, Work::Hash, tree.path()).await?;
    let list = peer(bench, Work::List, tree.path()).await?;
    for place in [Place::sqlite(&bench.site)?, Place::postgres(&bench.site).await?] {
        let resource = place.add_folder(tree.path()).await?;
        let what = format!("first sync, {}; peer: find, b3sum", place.database());
        table.add(sync(bench, &place, &resource).await?.row(what, &hash, FIRST));
        let what = format!("unchanged sync, {}; peer: find", place.database());
        table.add(sync(bench, &place, &resource).await?.row(what, &list, UNCHANGED));
    }
    Ok(())
}

async fn sync(bench: &Bench, place: &Place<'_>, resource: &str) -> Outcome<Pass> {
    let ambient = &bench.site.ambient;
    bench.quiet.wait().await?;
    let began = ambient.now();
    let synced = place.json(&["things", "sync", resource, "--wait"]).await?;
    let took = ambient.now().since(began);
    let files = synced["done"].as_u64().ok_or("a sync without files")?;
    Ok(Pass { files: files.try_into()?, took })
}

async fn peer(bench: &Bench, asked: Work, folder: &Path) -> Outcome<Pass> {
    bench.quiet.wait().await?;
    let began = bench.site.ambient.now();
    let files = work(bench, asked, folder).await?;
    Ok(Pass { files, took: bench.site.ambient.now().since(began) })
}
