use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::schema::object;

fn specified() -> Vec<Argument> {
    vec![
        Argument::text("query", "Words.").max_chars(5).required(),
        Argument::integer("limit", "How many.", 1, 200),
        Argument::boolean("full", "Everything?"),
        Argument::choice("kind", "Which.", &["image", "video"]),
    ]
}

fn checked(given: Value) -> Result<Map<String, Value>, Vec<String>> {
    let Value::Object(given) = given else { panic!("an object") };
    check(&specified(), given)
}

#[test]
fn null_means_left_out_and_5_0_means_5() {
    let arguments = checked(json!({ "query": "a", "limit": 5.0, "full": null })).unwrap();
    assert_eq!(Value::from(arguments), json!({ "query": "a", "limit": 5 }));
}

#[test]
fn each_problem_is_named() {
    let problems =
        checked(json!({ "query": null, "limit": 201, "full": "yes", "kind": "song", "colour": 1 }))
            .unwrap_err();
    assert_eq!(
        problems,
        [
            "`limit` must be a whole number from 1 to 200",
            "`full` must be true or false",
            "`kind` must be one of image, video",
            "there is no `colour`: use query, limit, full, kind",
            "`query` is missing",
        ]
    );
}

#[test]
fn lengths_are_counted_in_characters() {
    assert!(checked(json!({ "query": "ééééé" })).is_ok());
    assert_eq!(
        checked(json!({ "query": "éééééé" })).unwrap_err(),
        ["`query` must be at most 5 characters long"]
    );
}

#[test]
fn members_of_closed_objects_are_checked_too() {
    let specified =
        [Argument::closed("arguments", "Of the command.", vec![Argument::text("path", "Where.").required()])];
    let given = json!({ "arguments": { "password": "x", "depth": null } });
    let Value::Object(given) = given else { panic!("an object") };
    assert_eq!(
        check(&specified, given).unwrap_err(),
        ["in `arguments`: there is no `password`: use path", "in `arguments`: `path` is missing",]
    );
}

#[test]
fn an_unknown_name_is_not_repeated_at_any_length() {
    let problems = checked(json!({ "query": "a", "x".repeat(5000): 1 })).unwrap_err();
    assert!(problems[0].len() < 300);
}

#[test]
fn an_answer_to_many_unknown_names_is_short() {
    let many: Map<_, _> = (0..100_000).map(|n| (format!("n{n}"), json!(1))).collect();
    let inner = json!({ "arguments": many });
    let closed = [Argument::closed("arguments", "Of the command.", vec![Argument::text("path", "Where.")])];
    let Value::Object(inner) = inner else { panic!("an object") };
    for problems in [checked(many.into()).unwrap_err(), check(&closed, inner).unwrap_err()] {
        assert!(problems.join("; ").len() < 1_000, "{problems:?}");
        assert!(
            problems.iter().any(|problem| problem.ends_with("none of 99992 further names")),
            "{problems:?}"
        );
    }
}

const NAMES: [&str; 3] = ["a", "b", "c"];

fn any_scalar_shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (0_u32..8).prop_map(|max_chars| Shape::Text { max_chars }),
        (-3_i64..3, 0_i64..5).prop_map(|(min, more)| Shape::Integer { min, max: min + more }),
        Just(Shape::Boolean),
        Just(Shape::Choice(&["x", "yy"])),
    ]
}

fn any_members(shape: impl Strategy<Value = Shape>) -> impl Strategy<Value = Vec<Argument>> {
    prop::collection::vec((shape, any::<bool>()), 0..=3).prop_map(|shapes| {
        let argument =
            |(name, (shape, required))| Argument { shape, required, ..Argument::boolean(name, "Any.") };
        NAMES.into_iter().zip(shapes).map(argument).collect()
    })
}

fn any_specification() -> impl Strategy<Value = Vec<Argument>> {
    any_members(prop_oneof![
        4 => any_scalar_shape(),
        1 => any_members(any_scalar_shape()).prop_map(Shape::Closed),
    ])
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        (-5_i64..8).prop_map(Value::from),
        (-5_i32..8).prop_map(|n| json!(f64::from(n))),
        any::<f64>().prop_map(|n| json!(n)),
        any::<u64>().prop_map(Value::from),
        "[xyé]{0,6}".prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "d"]), inner), 0..3).prop_map(
                |members| members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Map<_, _>>().into()
            ),
        ]
    })
}

fn without_nulls(specified: &[Argument], given: &Map<String, Value>) -> Map<String, Value> {
    let cleaned = |name: &String, value: &Value| {
        let shape = specified.iter().find(|it| it.name == name).map(|it| &it.shape);
        match (shape, value) {
            (Some(Shape::Closed(members)), Value::Object(inner)) => without_nulls(members, inner).into(),
            _ => value.clone(),
        }
    };
    given.iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k.clone(), cleaned(k, v))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_guard_agrees_with_a_general_validator_of_the_published_schema(
        specified in any_specification(),
        members in prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "d"]), any_value()), 0..4),
    ) {
        let given: Map<_, _> = members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        let schema = object(&specified);
        let expected = jsonschema::is_valid(&schema, &without_nulls(&specified, &given).into());
        prop_assert_eq!(check(&specified, given.clone()).is_ok(), expected, "{} {:?}", schema, given);
    }
}
