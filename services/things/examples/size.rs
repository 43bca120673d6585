//! How the catalog does at size, without an endpoint before it. Each way prints one line a figure.
//!
//! - `size fill URL COUNT`: adds COUNT generated things to the database at URL, which is migrated first, in the
//!   workspace that it prints; then searches them.
//! - `size search URL WORKSPACE`: searches what was filled.
//! - `size sync URL FOLDER`: syncs a folder twice.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures::future::try_join_all;
use serde_json::json;
use stoa_base::cursor::CursorKey;
use stoa_base::{Ambient, Id, WorkspaceId};
use stoa_identity::{Caller, MountId, Reach, Role};
use stoa_store::audit::{Audit, Credential, Opening};
use stoa_store::{Database, DatabaseUrl};
use stoa_testing::Here;
use things::analysis::{Contents, analyze_aside};
use things::connector::Connectors;
use things::model::SelectorArguments;
use things::operations::add_resource::{AddResource, add_resource};
use things::operations::search_things::{SearchThings, search_things};
use things::operations::sync_resource::new_sync;
use things::store::catalog::{Content, Place, Put, put};
use things::store::reference::NewReference;
use things::store::{index, resource};
use things::{Settings, Things};
use tokio_util::sync::CancellationToken;

type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Words there are.
const VOCABULARY: u32 = 200_000;
/// Words of one text.
const WORDS: usize = 80;
/// Things written at once.
const BATCH: usize = 500;
/// How often each query is asked.
const TIMES: usize = 40;

#[tokio::main]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["fill", url, count] => {
            let things = open(url).await?;
            let workspace = fill(&things, count.parse()?).await?;
            searches(&things, workspace).await
        }
        ["search", url, workspace] => searches(&open(url).await?, workspace.parse()?).await,
        ["sync", url, folder] => sync(&open(url).await?, folder).await,
        _ => Err("size fill URL COUNT | size search URL WORKSPACE | size sync URL FOLDER".into()),
    }
}

async fn open(url: &str) -> Outcome<Things> {
    let ambient = Ambient::system();
    let db = Database::open(&url.parse::<DatabaseUrl>()?).await?;
    let lock = std::env::temp_dir().join("size-migrations.lock");
    let migrations = [&stoa_store::MIGRATIONS, &stoa_runs::MIGRATIONS, &things::MIGRATIONS];
    stoa_store::migrations::apply(&db, &migrations, &lock).await?;
    let data = PathBuf::from("/nonexistent");
    let connectors = Connectors::new(ambient.clone(), data.clone());
    Ok(Things::new(
        db,
        ambient,
        CursorKey::new([1; 32]),
        connectors,
        Arc::new(Here),
        Settings { run_budget: 60, storage: data, search: things::Effort::default() },
    ))
}

/// A generator of the same numbers for the same seed (splitmix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// The rank of a word, by Zipf's law: how likely it is falls as its rank grows.
    fn rank(&mut self) -> u32 {
        let even = f64::from((self.next() >> 32) as u32) / f64::from(u32::MAX);
        let rank = f64::from(VOCABULARY).powf(even);
        // Below the size of the vocabulary.
        format!("{rank:.0}").parse().unwrap_or(1)
    }
}

/// The word of a rank.
fn word(rank: u32) -> String {
    let mut word = String::from("w");
    let mut rest = rank;
    while rest > 0 {
        word.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    word
}

/// The text of the thing of this number: words by Zipf's law, one in every text, and in one of 20,000 a rare
/// one.
fn text(number: usize) -> String {
    let mut chance = Chance(number as u64);
    let mut words: Vec<String> = (0..WORDS).map(|_| word(chance.rank())).collect();
    words.push(format!("everywhere standing number{number}"));
    if number.is_multiple_of(20_000) {
        words.push("tombstone".to_owned());
    }
    words.join(" ")
}

async fn fill(things: &Things, count: usize) -> Outcome<WorkspaceId> {
    let (db, ambient) = (things.db(), things.ambient());
    let workspace: WorkspaceId = Id::new(ambient);
    let place = Place { workspace, resource: folder(things, workspace, "/").await? };
    println!("workspace {workspace}");
    let begun = ambient.now();
    for first in (0..count).step_by(BATCH) {
        let numbers = first..(first + BATCH).min(count);
        let made = try_join_all(numbers.map(|number| content(ambient, number))).await?;
        let puts: Vec<Put<'_>> = made.iter().map(|(key, content)| file(key, content, ambient)).collect();
        let mut tx = db.begin().await?;
        put(&mut tx, ambient, place, &puts).await?;
        tx.commit().await?;
        index::settle(db, ambient, workspace).await;
    }
    rate("filled", count, ambient.now().since(begun));
    Ok(workspace)
}

async fn content(ambient: &Ambient, number: usize) -> Outcome<(String, Content)> {
    let ending = if number.is_multiple_of(10) { "md" } else { "txt" };
    let key = format!("part{:02}/{:04}/file{number}.{ending}", number % 50, number / 500);
    let bytes = text(number).into_bytes();
    let hash = blake3::hash(&bytes).into();
    let size = bytes.len().try_into().unwrap_or(0);
    let contents = Contents { hash, size, modified_at: ambient.now(), bytes, duration_ms: 0 };
    let analyzed = analyze_aside(ambient, &Here, &key, contents).await?;
    Ok((key, Content::New(hash, Box::new(analyzed))))
}

fn file<'a>(key: &'a str, content: &'a Content, ambient: &Ambient) -> Put<'a> {
    Put { reference: NewReference { key, key_bytes: None, size: 0, modified_at: ambient.now() }, content }
}

async fn folder(things: &Things, workspace: WorkspaceId, path: &str) -> Outcome<things::model::ResourceId> {
    let audit = Audit::start(things.db().clone(), things.ambient().clone());
    let act = audit.open(Opening::local(workspace, "size", json!({})));
    let settings = BTreeMap::from([("path".to_owned(), path.to_owned())]);
    let asked = AddResource { workspace, connector: "folder".to_owned(), name: "size".to_owned(), settings };
    Ok(add_resource(things, &act, &asked).await?)
}

fn rate(what: &str, count: usize, took: Duration) {
    println!(
        "{what}: {count} in {:.1} s, {:.0}/s",
        took.as_secs_f64(),
        Duration::from_secs(count.try_into().unwrap_or(0)).as_secs_f64() / took.as_secs_f64()
    );
}

/// What is asked, a class a line.
fn classes() -> Vec<(&'static str, Vec<SelectorArguments>)> {
    let none = SelectorArguments::default;
    let asked = |queries: &[String]| {
        queries.iter().map(|query| SelectorArguments { query: Some(query.clone()), ..none() }).collect()
    };
    let selectors = (0..8).flat_map(|part| {
        let folder = Some(format!("part{part:02}"));
        [
            SelectorArguments { folder: folder.clone(), ..none() },
            SelectorArguments { folder, query: Some(word(30)), ..none() },
            SelectorArguments {
                kind: Some("document".to_owned()),
                query: Some("everywhere".to_owned()),
                ..none()
            },
        ]
    });
    let ranks = |ranks: &[u32]| ranks.iter().map(|rank| word(*rank)).collect::<Vec<_>>();
    vec![
        ("rare", asked(&["tombstone".to_owned(), "number77777".to_owned(), word(199_000)])),
        ("common", asked(&ranks(&[10, 50, 100, 500, 1_000]))),
        ("all-matching", asked(&["everywhere".to_owned(), "everywhere standing txt".to_owned(), word(1)])),
        (
            "phrase",
            asked(&[
                "\"everywhere standing\"".to_owned(),
                format!("\"{} {}\"", word(3), word(4)),
                format!("\"{} {}\"", word(90), word(7)),
            ]),
        ),
        ("prefix", asked(&["stand*".to_owned(), format!("{}*", word(700)), "number77*".to_owned()])),
        (
            "rare of common",
            asked(&[format!("{} {}", word(5_000), word(1)), format!("everywhere {}", word(60_000))]),
        ),
        ("selector", selectors.collect()),
        ("nothing asked", vec![none()]),
    ]
}

async fn searches(things: &Things, workspace: WorkspaceId) -> Outcome<()> {
    let caller = Arc::new(caller(things, workspace));
    for (class, all) in classes() {
        let (mut times, mut totals) = (Vec::new(), Vec::new());
        for arguments in all.iter().cycle().take(TIMES.max(all.len())) {
            let asked = SearchThings { selector: arguments.parse()?, limit: 50, cursor: None };
            let begun = things.ambient().now();
            let found = search_things(things, &caller, &asked).await?;
            times.push(things.ambient().now().since(begun));
            totals.push(found.total);
        }
        times.sort_unstable();
        let of = |share: usize| {
            times.get((times.len() * share / 100).min(times.len() - 1)).copied().unwrap_or_default()
        };
        totals.truncate(all.len().min(5));
        println!("{class}: p50 {:.1?}, p99 {:.1?}; found {totals:?}", of(50), of(99));
    }
    Ok(())
}

fn caller(things: &Things, workspace: WorkspaceId) -> Caller {
    let ambient = things.ambient();
    Caller {
        workspace,
        account: Id::new(ambient),
        role: Role::Member,
        installation: Id::new(ambient),
        label: "size".to_owned(),
        client: None,
        mount: MountId::new(workspace, "things"),
        scopes: things::SCOPES.iter().map(|scope| scope.name).collect(),
        reach: Reach::Everything,
        run_budget: None,
        credential: Credential::Personal,
    }
}

async fn sync(things: &Things, path: &str) -> Outcome<()> {
    let (db, ambient) = (things.db(), things.ambient());
    let workspace = Id::new(ambient);
    let id = folder(things, workspace, path).await?;
    for what in ["first sync", "unchanged"] {
        let resource = resource::by_id(db, workspace, id).await?.ok_or("no resource")?;
        let mut tx = db.begin().await?;
        let queued = stoa_runs::enqueue(&mut tx, ambient, &new_sync(&resource, false), None).await?;
        tx.commit().await?;
        let begun = ambient.now();
        let (works, stop) = (things::runs::works(things), CancellationToken::new());
        let run =
            stoa_runs::work_one(db, ambient, works, workspace, queued.id(), stop).await?.ok_or("no run")?;
        rate(what, usize::try_from(run.progress.done)?, ambient.now().since(begun));
        println!("{:?} {:?}", run.status, run.error);
    }
    searches(things, workspace).await
}
