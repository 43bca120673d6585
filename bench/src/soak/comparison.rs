//! The catalog after all that, beside one that was made at once: the same contents in the same places, found by
//! the same words.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Soak, Verdict};
use crate::Outcome;
use crate::place::Place;
use crate::reader::{Reader, keys};
use crate::words::{ALL, PHRASE, word};

/// A catalog as its readers see it.
struct Catalog {
    /// What is known of each content, by its hash.
    things: BTreeMap<String, Value>,
    /// The hashes of what each query finds.
    found: BTreeMap<String, BTreeSet<String>>,
}

pub async fn verdicts(soak: &Soak<'_>, place: &Place<'_>) -> Outcome<Vec<Verdict>> {
    place.stoa(&["things", "sync", &soak.known.resource, "--wait"]).await?;
    let (port, _) = soak.nodes[1].port().ok_or("the second node is not there")?;
    let soaked = catalog(Reader::at(port, &soak.known.token).await?).await?;
    let fresh = Place::postgres(soak.site).await?;
    fresh.add_owner().await?;
    let resource = fresh.add_folder(soak.folder.path()).await?;
    fresh.stoa(&["things", "sync", &resource, "--wait"]).await?;
    let token = fresh.owner_token().await?;
    let server = fresh.serve_on_all_cores().await?;
    let made = catalog(Reader::at(server.port, &token).await?).await?;
    server.stop().await?;
    Ok(compare(&soaked, &made))
}

fn compare(soaked: &Catalog, fresh: &Catalog) -> Vec<Verdict> {
    let count = fresh.things.len();
    let mut verdicts = vec![(
        soaked.things == fresh.things && count > 0,
        format!("the catalog is that of a fresh sync: {} things, fresh {count}", soaked.things.len()),
    )];
    let hashes: BTreeSet<_> = soaked.things.keys().chain(fresh.things.keys()).collect();
    let unlike = hashes.into_iter().filter(|hash| soaked.things.get(*hash) != fresh.things.get(*hash));
    verdicts.extend(unlike.take(5).map(|hash| {
        (false, format!("{hash}: {:?}, fresh {:?}", soaked.things.get(hash), fresh.things.get(hash)))
    }));
    let same = soaked.found == fresh.found;
    let found: usize = fresh.found.values().map(BTreeSet::len).sum();
    verdicts.push((same, format!("{} queries find the same {found} things", fresh.found.len())));
    verdicts
}

/// All of it.
async fn catalog(mut reader: Reader) -> Outcome<Catalog> {
    let (mut things, mut hashes) = (BTreeMap::new(), BTreeMap::new());
    for id in reader.search(&json!({})).await? {
        let thing = reader.thing(&id).await?;
        let hash = thing["hash"].as_str().ok_or("a thing without a hash")?.to_owned();
        things.insert(hash.clone(), essence(&thing));
        hashes.insert(id, hash);
    }
    let mut found = BTreeMap::new();
    for query in queries() {
        let ids = reader.search(&json!({ "query": query })).await?;
        found.insert(query, ids.iter().filter_map(|id| hashes.get(id).cloned()).collect());
    }
    Ok(Catalog { things, found })
}

/// What does not depend on when and how it was catalogued.
fn essence(thing: &Value) -> Value {
    let keys: BTreeSet<_> = keys(thing).into_iter().collect();
    let kept = ["kind", "title", "mime", "size", "state", "body", "reference_count"];
    let mut essence: Value = kept.iter().map(|key| ((*key).to_owned(), thing[*key].clone())).collect();
    essence["keys"] = json!(keys);
    essence
}

fn queries() -> Vec<String> {
    let mut queries: Vec<String> = (1..=40).map(|rank| word(rank * 25)).collect();
    queries.extend([ALL.to_owned(), format!("\"{}\"", PHRASE.join(" ")), format!("{}*", &word(7_001)[..2])]);
    queries
}
