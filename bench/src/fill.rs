//! Many things, put into a catalog without their files: a million files would take the disk longer than the catalog.

use futures::future::try_join_all;
use serde_json::json;
use stoa::config::{Config, Environment, Flags};
use stoa::house::House;
use stoa_base::Ambient;
use things::analysis::{Contents, analyze_aside};
use things::operations::add_resource::{AddResource, add_resource};
use things::store::catalog::{Content, Place, Put, put};
use things::store::index;
use things::store::reference::NewReference;

use crate::{Outcome, words};

/// Things of one transaction.
const BATCH: u32 = 500;
/// Words of a thing's text.
const WORDS: u32 = 60;
/// Folders.
const FOLDERS: u32 = 50;

/// Puts so many into the workspace `default` of this process's data folder.
pub async fn fill(count: u32) -> Outcome<()> {
    let config = Config::load(&Flags::default(), &Environment::of_process())?;
    let house = House::open(&config, &Ambient::system()).await?;
    let things = stoa::services::things(&house);
    // It is gone by the time a server looks: a sync fails then, and takes nothing away.
    let folder = tempfile::tempdir()?;
    let asked = AddResource {
        workspace: house.default,
        connector: "folder".to_owned(),
        name: "generated".to_owned(),
        settings: [("path".to_owned(), folder.path().display().to_string())].into(),
    };
    let act = house.act(house.default, "bench", json!({}));
    let place = Place { workspace: house.default, resource: add_resource(&things, &act, &asked).await? };
    let (db, ambient) = (things.db(), things.ambient());
    for first in (0..count).step_by(usize::try_from(BATCH)?) {
        let numbers = first..(first + BATCH).min(count);
        let made = try_join_all(numbers.map(|number| content(&things, number))).await?;
        let reference = |key| NewReference { key, key_bytes: None, size: 0, modified_at: ambient.now() };
        let puts: Vec<Put<'_>> =
            made.iter().map(|(key, content)| Put { reference: reference(key), content }).collect();
        let mut tx = db.begin().await?;
        put(&mut tx, ambient, place, &puts).await?;
        tx.commit().await?;
        index::settle(db, ambient, house.default).await;
    }
    house.close().await;
    Ok(())
}

/// A content and its key.
async fn content(things: &things::Things, number: u32) -> Outcome<(String, Content)> {
    let key = format!("{:03}/{number}.html", number % FOLDERS);
    let text = words::text(number.into(), WORDS);
    let bytes = format!("<!DOCTYPE html><title>Page {number}</title><p>{text}</p>").into_bytes();
    let (hash, size) = (blake3::hash(&bytes).into(), bytes.len().try_into()?);
    let ambient = things.ambient();
    let contents = Contents { hash, size, modified_at: ambient.now(), bytes, duration_ms: 0 };
    let analyzed = analyze_aside(ambient, things.documents().as_ref(), &key, contents).await?;
    Ok((key, Content::New(hash, Box::new(analyzed))))
}
