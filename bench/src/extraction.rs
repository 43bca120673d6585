//! The text of real documents: words found and files a second, beside markitdown. Ours is a whole sync, after which
//! the texts are read through the endpoint.

mod corpus;

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;

use crate::peers;
use crate::place::Place;
use crate::reader::{Reader, keys};
use crate::table::{Row, Table};
use crate::{Bench, Outcome};
use corpus::{Corpus, Document};

/// A format with fewer documents says little.
const FEW: usize = 20;

/// The texts of the corpus, by the documents' names, and how long they took.
struct Texts {
    texts: BTreeMap<String, String>,
    took: Duration,
}

pub async fn measure(bench: &Bench, table: &mut Table) -> Outcome<()> {
    let corpus = Corpus::gather()?;
    let theirs = markitdown(bench, &corpus).await?;
    let ours = synced(bench, &corpus).await?;
    for (format, documents) in corpus.by_format() {
        let (ours, theirs, all) = (ours.found(&documents), theirs.found(&documents), words(&documents));
        let row = Row::new(format!("words found in {format}; peer: markitdown"), format!("{ours} of {all}"));
        let few = if documents.len() < FEW { ", few" } else { "" };
        let row = row.peer(format!("{theirs} of {all}"), f64::from(ours) / f64::from(theirs));
        table.add(row.note(format!("{} files{few}", documents.len())));
    }
    let (ours, theirs) = (ours.per_second(&corpus), theirs.per_second(&corpus));
    let row = Row::new("text of documents; peer: markitdown", format!("{ours:.1} files/s"));
    let row = row.peer(format!("{theirs:.1} files/s"), ours / theirs);
    let missing = match corpus.missing {
        0 => String::new(),
        missing => format!(", {missing} more are no longer to be had"),
    };
    table.add(row.note(format!("{} files{missing}; ours cataloged on SQLite too", corpus.documents.len())));
    Ok(())
}

fn words(documents: &[&Document]) -> usize {
    documents.iter().map(|document| document.words.len()).sum()
}

impl Texts {
    fn found(&self, documents: &[&Document]) -> u32 {
        let found = |document: &&Document| {
            let text = self.texts.get(&document.name).map(String::as_str).unwrap_or_default();
            document.words.iter().filter(|word| text.contains(word.as_str())).count()
        };
        documents.iter().map(found).sum::<usize>().try_into().unwrap_or(u32::MAX)
    }

    fn per_second(&self, corpus: &Corpus) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "some hundred")]
        let files = corpus.documents.len() as f64;
        files / self.took.as_secs_f64()
    }
}

async fn markitdown(bench: &Bench, corpus: &Corpus) -> Outcome<Texts> {
    let out = tempfile::tempdir()?;
    bench.quiet.wait().await?;
    let mut command = bench.site.cores.all(&peers::python()?);
    command.arg(peers::source("markitdown/extract.py")).arg(corpus.folder.path()).arg(out.path());
    let began = bench.site.ambient.now();
    let status = command.stderr(Stdio::null()).status().await?;
    let took = bench.site.ambient.now().since(began);
    if !status.success() {
        return Err(format!("markitdown: {status}").into());
    }
    let mut texts = BTreeMap::new();
    for document in &corpus.documents {
        if let Ok(text) = std::fs::read_to_string(out.path().join(format!("{}.txt", document.name))) {
            texts.insert(document.name.clone(), text.to_lowercase());
        }
    }
    Ok(Texts { texts, took })
}

async fn synced(bench: &Bench, corpus: &Corpus) -> Outcome<Texts> {
    let place = Place::sqlite(&bench.site)?;
    place.add_owner().await?;
    let resource = place.add_folder(corpus.folder.path()).await?;
    bench.quiet.wait().await?;
    let began = bench.site.ambient.now();
    place.stoa(&["things", "sync", &resource, "--wait"]).await?;
    let took = bench.site.ambient.now().since(began);
    let token = place.owner_token().await?;
    let server = place.serve().await?;
    let mut reader = Reader::at(server.port, &token).await?;
    let mut texts = BTreeMap::new();
    for id in reader.search(&json!({})).await? {
        let thing = reader.thing(&id).await?;
        let text = thing["body"].as_str().unwrap_or_default().to_lowercase();
        texts.extend(keys(&thing).into_iter().map(|name| (name, text.clone())));
    }
    server.stop().await?;
    Ok(Texts { texts, took })
}
