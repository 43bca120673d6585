//! The environment: the one place that reads it.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::ConfigError;

/// What every variable of ours begins with.
const PREFIX: &str = "STOA_";
/// Variables of ours that are no setting: `STOA_TOKEN` is what `stoa connect` has agents read, the rest belongs
/// to the tests.
const NO_SETTING: &[&str] = &["STOA_CONFIG", "STOA_TOKEN", "STOA_BIN", "STOA_TEST_"];

/// How a variable's text becomes a value.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Text,
    Number,
    /// `true` or `false`.
    Flag,
    /// Separated by commas.
    List,
}

/// Every key that a variable can set, by its path.
const KEYS: &[(&str, Kind)] = &[
    ("data", Kind::Text),
    ("listen", Kind::List),
    ("public_url", Kind::Text),
    ("database_url", Kind::Text),
    ("secret_key_file", Kind::Text),
    ("trusted_proxies", Kind::List),
    ("tls.cert", Kind::Text),
    ("tls.key", Kind::Text),
    ("blobs.bucket", Kind::Text),
    ("blobs.prefix", Kind::Text),
    ("blobs.region", Kind::Text),
    ("blobs.endpoint", Kind::Text),
    ("blobs.access_key", Kind::Text),
    ("blobs.secret_key", Kind::Text),
    ("log.format", Kind::Text),
    ("log.level", Kind::Text),
    ("flood.per_second", Kind::Number),
    ("flood.oauth_per_second", Kind::Number),
    ("oauth.refresh_grace", Kind::Number),
    ("oauth.cimd", Kind::Flag),
    ("oauth.cimd_private_hosts", Kind::List),
    ("oauth.cimd_ca_file", Kind::Text),
    ("oidc.issuer", Kind::Text),
    ("oidc.name", Kind::Text),
    ("oidc.client_id", Kind::Text),
    ("oidc.client_secret", Kind::Text),
    ("oidc.link_by_email", Kind::Flag),
    ("oidc.allowed_domains", Kind::List),
    ("oidc.private_hosts", Kind::List),
    ("oidc.ca_file", Kind::Text),
    ("mail.url", Kind::Text),
    ("mail.from", Kind::Text),
    ("things.mcp_limit", Kind::Number),
    ("things.run_budget", Kind::Number),
    ("things.folder_roots", Kind::List),
];

/// The variables of this process that begin with `STOA_`.
#[derive(Clone, Debug)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Those of this process.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn of_process() -> Self {
        Self::of(std::env::vars())
    }

    /// Those of `variables` that are ours. An empty one counts as not set.
    pub fn of(variables: impl Iterator<Item = (String, String)>) -> Self {
        Self(variables.filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty()).collect())
    }

    /// One variable.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Variables that look like settings but are none: a misspelled one would do nothing in silence.
    #[must_use]
    pub fn unknown(&self) -> Vec<String> {
        let known = |name: &str| {
            KEYS.iter().any(|(path, _)| variable(path) == name)
                || NO_SETTING.iter().any(|ours| name.starts_with(ours))
        };
        self.0.keys().filter(|name| !known(name)).cloned().collect()
    }

    /// Sets in `table` what the variables set.
    pub(super) fn lay_over(&self, table: &mut Table) -> Result<(), ConfigError> {
        for (path, kind) in KEYS {
            let name = variable(path);
            if let Some(text) = self.get(&name) {
                let value = kind.read(&name, text)?;
                set(table, path, value);
            }
        }
        Ok(())
    }
}

impl Kind {
    fn read(self, name: &str, text: &str) -> Result<Value, ConfigError> {
        let expected =
            |expected| ConfigError::Variable { name: name.to_owned(), expected, found: text.to_owned() };
        match self {
            Self::Text => Ok(Value::String(text.to_owned())),
            Self::List => Ok(text.split(',').map(str::trim).map(Value::from).collect::<Vec<_>>().into()),
            Self::Number => text.parse().map(Value::Integer).map_err(|_| expected("a whole number")),
            Self::Flag => text.parse().map(Value::Boolean).map_err(|_| expected("true or false")),
        }
    }
}

/// `flood.per_second` as a variable: `STOA_FLOOD__PER_SECOND`.
fn variable(path: &str) -> String {
    format!("{PREFIX}{}", path.replace('.', "__").to_uppercase())
}

fn set(table: &mut Table, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            table.insert(path.to_owned(), value);
        }
        Some((head, rest)) => {
            let inner = table.entry(head).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    #[test]
    fn every_variable_sets_a_key_that_exists() {
        for (path, kind) in KEYS {
            let text = match (*path, kind) {
                ("listen", _) => "127.0.0.1:1",
                ("log.format", _) => "json",
                (_, Kind::Number) => "1",
                (_, Kind::Flag) => "true",
                _ => "x",
            };
            let environment = Environment::of([(variable(path), text.to_owned())].into_iter());
            let mut table = Table::new();
            environment.lay_over(&mut table).unwrap();
            assert!(!table.is_empty(), "{path}");
            table.try_into::<Config>().unwrap_or_else(|error| panic!("{path}: {error}"));
        }
    }

    /// The keys in the table at `path`, as the configuration names them where one is unknown to it; `None`: there is no
    /// table.
    fn keys_in(path: &str) -> Option<Vec<String>> {
        let within = if path.is_empty() { String::new() } else { format!("{path}.") };
        let mut table = Table::new();
        set(&mut table, &format!("{within}unheard_of"), Value::Boolean(true));
        let refusal = table.try_into::<Config>().unwrap_err().to_string();
        let (_, expected) = refusal.lines().next()?.split_once("unknown field `unheard_of`, expected ")?;
        Some(expected.split('`').skip(1).step_by(2).map(|key| format!("{within}{key}")).collect())
    }

    #[test]
    fn every_key_has_a_variable_and_stands_in_the_docs() {
        let page = include_str!("../../../../docs/operating.md");
        let (_, section) = page.split_once("## Configuration").unwrap();
        let rows = section.lines().skip(1).take_while(|line| !line.starts_with("## "));
        let documented: Vec<_> = rows.filter_map(|row| row.strip_prefix("| `")?.split('`').next()).collect();
        let keys =
            keys_in("").unwrap().into_iter().flat_map(|key| keys_in(&key).unwrap_or_else(|| vec![key]));
        let keys: Vec<_> = keys.filter(|key| key != "hosts").collect();
        assert!(keys.len() > 30, "{keys:?}");
        for key in &keys {
            assert!(KEYS.iter().any(|(path, _)| path == key), "{key} has no variable");
            assert!(documented.contains(&key.as_str()), "{key} is not in docs/operating.md");
        }
        let known = |key: &&&str| key.starts_with('[') || keys.iter().any(|known| known == **key);
        assert_eq!(documented.iter().find(|key| !known(key)), None);
    }

    #[test]
    fn a_misspelled_variable_is_told() {
        let names = ["STOA_LISTN", "STOA_TOKEN", "STOA_DATA", "HOME"];
        let environment = Environment::of(names.iter().map(|name| ((*name).to_owned(), "x".to_owned())));
        assert_eq!(environment.unknown(), ["STOA_LISTN"]);
    }
}
