//! Cataloguing a folder: the first sync, and one after which nothing had changed.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::place::Place;
use crate::table::{Row, count};
use crate::tree::Tree;
use crate::{Bench, Outcome};

/// Files a second: 100,000 in 60 s.
const FIRST: f64 = 100_000.0 / 60.0;
/// Files a second: 100,000 in 5 s.
const UNCHANGED: f64 = 100_000.0 / 5.0;

/// A catalogue that was filled.
pub struct Catalogue<'a> {
    pub place: Place<'a>,
    pub files: u32,
}

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

pub async fn measure(bench: &Bench) -> Outcome<(Vec<Row>, Vec<Catalogue<'_>>)> {
    let tree = Tree::of(bench)?;
    // The first pass only brings the files into memory, where all of the following find them.
    peer(bench, "hash", tree.path()).await?;
    let hash = peer(bench, "hash", tree.path()).await?;
    let list = peer(bench, "list", tree.path()).await?;
    let (mut rows, mut catalogues) = (Vec::new(), Vec::new());
    for place in [Place::sqlite(bench)?, Place::postgres(bench).await?] {
        let resource = place.add_folder(tree.path()).await?;
        let first = sync(&place, &resource).await?;
        let unchanged = sync(&place, &resource).await?;
        rows.push(first.row(
            format!("first sync, {}; peer: walk, read, BLAKE3", place.database()),
            &hash,
            FIRST,
        ));
        rows.push(unchanged.row(
            format!("unchanged, {}; peer: walk, stat", place.database()),
            &list,
            UNCHANGED,
        ));
        catalogues.push(Catalogue { files: first.files, place });
    }
    Ok((rows, catalogues))
}

async fn sync(place: &Place<'_>, resource: &str) -> Outcome<Pass> {
    let ambient = &place.bench.ambient;
    place.bench.quiet.wait().await?;
    let began = ambient.now();
    let synced = place.json(&["things", "sync", resource, "--wait"]).await?;
    let took = ambient.now().since(began);
    let files = synced["done"].as_u64().ok_or("a sync without files")?;
    Ok(Pass { files: files.try_into()?, took })
}

async fn peer(bench: &Bench, role: &str, folder: &Path) -> Outcome<Pass> {
    bench.quiet.wait().await?;
    let mut command = bench.cores.all(&std::env::current_exe()?);
    let began = bench.ambient.now();
    let output = command.arg(role).arg(folder).stderr(Stdio::inherit()).output().await?;
    let took = bench.ambient.now().since(began);
    Ok(Pass { files: String::from_utf8(output.stdout)?.trim().parse()?, took })
}
