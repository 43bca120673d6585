//! What of an argument the audit keeps.

use serde_json::{Value, json};

/// The longest value that is kept as it is, in bytes (of text, or of compact JSON).
pub const LONGEST_KEPT: usize = 2048;

/// What of one argument the audit keeps. Every argument of every tool is marked with one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The value, or where it is over [`LONGEST_KEPT`], `{"elided": true, "length": n}`.
    Keep,
    /// Numbers and booleans; of everything else `{"length": n}` only. What free text gets.
    Length,
    /// That it was given, nothing of the value: `{"never": true}`. What secrets get.
    Never,
}

/// What the audit keeps of `value`. A length counts characters of a text, items of an array, members of an
/// object.
#[must_use]
pub fn marked(value: &Value, mark: Mark) -> Value {
    match mark {
        Mark::Keep if size(value) > LONGEST_KEPT => json!({"elided": true, "length": length(value)}),
        Mark::Keep => value.clone(),
        Mark::Length if matches!(value, Value::Null | Value::Bool(_) | Value::Number(_)) => value.clone(),
        Mark::Length => json!({"length": length(value)}),
        Mark::Never => json!({"never": true}),
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(_) | Value::Object(_) => value.to_string().len(),
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keep_keeps_up_to_2_kb_and_the_length_of_what_is_longer() {
        let longest = json!("é".repeat(1024));
        assert_eq!(marked(&longest, Mark::Keep), longest);
        assert_eq!(marked(&json!("é".repeat(1025)), Mark::Keep), json!({"elided": true, "length": 1025}));
        let list = json!(vec!["word"; 400]);
        assert_eq!(marked(&list, Mark::Keep), json!({"elided": true, "length": 400}));
    }

    #[test]
    fn length_keeps_numbers_and_booleans() {
        for value in [json!(12.5), json!(true), json!(null)] {
            assert_eq!(marked(&value, Mark::Length), value);
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::hash_map(any::<String>(), inner, 0..8).prop_map(Value::from_iter),
            ]
        })
    }

    proptest! {
        #[test]
        fn nothing_of_a_never_value_appears(value in any_json()) {
            prop_assert_eq!(marked(&value, Mark::Never), json!({"never": true}));
        }

        #[test]
        fn no_text_of_a_length_value_appears(value in any_json()) {
            let kept = marked(&value, Mark::Length);
            let only_a_length = kept.as_object().is_some_and(|it| it.len() == 1 && it["length"].is_u64());
            prop_assert!(only_a_length || kept.is_boolean() || kept.is_number());
        }

        #[test]
        fn what_is_kept_is_never_long(value in any_json(), mark in prop::sample::select(vec![Mark::Keep, Mark::Length, Mark::Never])) {
            prop_assert!(size(&marked(&value, mark)) <= LONGEST_KEPT);
        }
    }
}
