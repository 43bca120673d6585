//! Objects that name nothing twice. Of two values under one name some programs take the first and others the
//! last (RFC 8259 section 4): what one of them checked would not be what another does.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Reads an object whose names, and those of the objects in it, come once each.
pub(crate) fn object(json: &str) -> serde_json::Result<Map<String, Value>> {
    serde_json::from_str(json).map(|Unique(members)| members)
}

struct Unique(Map<String, Value>);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Unique;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Unique, A::Error> {
        let mut read = Map::new();
        while let Some((name, raw)) = members.next_entry::<String, &RawValue>()? {
            if read.insert(name, value(raw.get()).map_err(A::Error::custom)?).is_some() {
                return Err(A::Error::custom("a name comes twice"));
            }
        }
        Ok(Unique(read))
    }
}

/// Objects in arrays are left as they are: no tool takes any.
fn value(json: &str) -> serde_json::Result<Value> {
    if json.starts_with('{') { object(json).map(Value::Object) } else { serde_json::from_str(json) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_that_comes_twice_is_refused_at_any_depth() {
        for json in [
            r#"{"a":1,"a":1}"#,
            r#"{"a":1,"b":2,"\u0061":3}"#,
            r#"{"a":null,"a":1}"#,
            r#"{"a":{"b":1,"b":2}}"#,
            r#"{"a":{"b":{"c":1,"c":1}}}"#,
        ] {
            assert!(object(json).is_err(), "{json}");
        }
        assert_eq!(
            Value::from(object(r#"{"a":{"b":1},"b":{"b":2}}"#).unwrap()),
            json!({ "a": { "b": 1 }, "b": { "b": 2 } })
        );
    }

    #[test]
    fn what_is_no_object_or_cannot_be_read_is_refused() {
        for json in ["[]", "1", "null", r#""a""#, r#"{"a":"\ud800"}"#, r#"{"a":1e999}"#, r#"{"\udc00":1}"#] {
            assert!(object(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn every_other_object_is_read_as_usual(names in prop::collection::hash_set("[a-c\"\u{e9}]{0,2}", 0..4), n in any::<f64>()) {
            let inner: Map<_, _> = names.iter().map(|name| (name.clone(), json!([n, name, null, true]))).collect();
            let outer: Map<_, _> = names.into_iter().map(|name| (name, inner.clone().into())).collect();
            let json = serde_json::to_string(&outer).unwrap();
            prop_assert_eq!(object(&json).unwrap(), serde_json::from_str::<Map<_, _>>(&json).unwrap());
        }
    }
}
