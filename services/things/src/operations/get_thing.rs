//! Everything that is known about one thing, with a piece of its text.

use std::sync::Arc;

use serde::Serialize;
use stoa_base::Timestamp;
use stoa_identity::Caller;
use stoa_store::StoreError;

use super::rights::Read;
use super::{Things, ThingsError, may};
use crate::model::{Kind, Reach, ResourceId, ThingId, title};
use crate::store::reference::{self, ShownReference};
use crate::store::step::{self, Step};
use crate::store::text::{self, PART_CHARS};
use crate::store::thing::ThingRow;

/// References shown; a thing may have thousands (an empty file).
const REFERENCES: i64 = 100;
/// Where the list of references ends even when there are more, in bytes of JSON: long names are no reason to
/// fill whoever reads this.
const REFERENCE_BYTES: usize = 32 * 1024;

/// What is known of a thing.
#[derive(Clone, Debug, Serialize)]
pub struct ThingDetail {
    /// Its id: of the thing it was merged into, where the id asked for is an alias.
    pub id: ThingId,
    /// What it is.
    pub kind: Kind,
    /// Its own title, or its file name.
    pub title: String,
    /// Media type.
    pub mime: String,
    /// Bytes.
    pub size: i64,
    /// BLAKE3 in hexadecimal; null while its bytes were not read.
    pub hash: Option<String>,
    /// `present` or `gone`.
    pub state: &'static str,
    /// What took its place, if it is gone and something did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<ThingId>,
    /// When it was first seen.
    pub catalogued_at: Timestamp,
    /// Where copies of it lie, 100 at most, and no more than fit into 32 kB.
    pub references: Vec<ReferenceDetail>,
    /// How many there are.
    pub reference_count: i64,
    /// Up to 8,000 characters of its text; null where it has none.
    pub body: Option<String>,
    /// Whether the text goes on.
    pub body_truncated: bool,
    /// The `offset` to read on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

/// Where a copy lies. Steps are taken once for a content and shown under each of its references.
#[derive(Clone, Debug, Serialize)]
pub struct ReferenceDetail {
    /// The resource.
    pub resource_id: ResourceId,
    /// The locator key in it.
    pub key: String,
    /// The key's own bytes in hexadecimal, where they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_bytes: Option<String>,
    /// Bytes.
    pub size: i64,
    /// When the resource says it was changed.
    pub modified_at: Timestamp,
    /// How each analysis step went.
    pub analysis: Vec<Step>,
}

/// Reads a thing, its text from character `offset` on.
///
/// # Errors
/// [`ThingsError::NotFound`] for an id that is unknown, another tenant's or out of reach.
pub async fn get_thing(
    things: &Things,
    caller: &Arc<Caller>,
    id: ThingId,
    offset: usize,
) -> Result<ThingDetail, ThingsError> {
    let may = may::on::<ThingRow, Read>(things, caller, id, ThingsError::NO_THING).await?;
    let thing = may.target();
    let reach = Reach::from(&may.caller().reach);
    let shown = reference::of_things(things.db(), &[thing.seq], &reach, REFERENCES).await?;
    let steps = step::of_thing(things.db(), thing.seq).await?;
    let body = body(things, thing, offset).await?;
    Ok(detail(thing, &shown, &steps, body))
}

/// A piece of text, and where the next one begins.
struct Body {
    text: Option<String>,
    next: Option<usize>,
}

async fn body(things: &Things, thing: &ThingRow, offset: usize) -> Result<Body, StoreError> {
    let Some(length) = thing.text_length.and_then(|length| usize::try_from(length).ok()) else {
        return Ok(Body { text: None, next: None });
    };
    let end = offset.saturating_add(PART_CHARS);
    let text = if offset < length {
        text::read(things.db(), thing.seq, offset, PART_CHARS).await?
    } else {
        String::new()
    };
    Ok(Body { text: Some(text), next: (end < length).then_some(end) })
}

fn detail(thing: &ThingRow, shown: &[ShownReference], steps: &[Step], body: Body) -> ThingDetail {
    let first_key = shown.first().map(|reference| reference.key.as_str());
    let key = first_key.or(thing.gone_key.as_deref()).unwrap_or_default();
    ThingDetail {
        id: thing.id,
        kind: thing.kind,
        title: title::title(thing.title.as_deref(), key, thing.kind),
        mime: thing.mime.clone(),
        size: thing.size,
        hash: thing.hash.as_deref().map(hex::encode),
        state: if thing.gone_at.is_some() { "gone" } else { "present" },
        superseded_by: thing.superseded_by,
        catalogued_at: thing.catalogued_at,
        reference_count: shown.first().map_or(0, |reference| reference.total),
        references: references(shown, steps),
        body: body.text,
        body_truncated: body.next.is_some(),
        next_offset: body.next,
    }
}

/// As many as fit, the first in any case.
fn references(shown: &[ShownReference], steps: &[Step]) -> Vec<ReferenceDetail> {
    let mut bytes = 0;
    let fits = |reference: &ReferenceDetail| {
        let first = bytes == 0;
        bytes += serde_json::to_string(reference).map_or(0, |json| json.len());
        first || bytes <= REFERENCE_BYTES
    };
    shown.iter().map(|reference| reference_detail(reference, steps)).take_while(fits).collect()
}

fn reference_detail(shown: &ShownReference, steps: &[Step]) -> ReferenceDetail {
    ReferenceDetail {
        resource_id: ResourceId::from_uuid(shown.resource_id),
        key: shown.key.clone(),
        key_bytes: shown.key_bytes.as_deref().map(hex::encode),
        size: shown.size,
        modified_at: Timestamp::from_micros(shown.modified_at),
        analysis: steps.to_vec(),
    }
}
