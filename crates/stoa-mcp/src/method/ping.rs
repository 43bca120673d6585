//! `ping`: whether anybody is there. Gone in the modern era.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::rpc::{Reply, success};

pub(super) fn answer(context: &Context, id: &RawValue) -> Reply {
    success(context.era, &context.listing.server, id, &Map::<String, Value>::new())
}
