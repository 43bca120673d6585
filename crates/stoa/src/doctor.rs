//! The outside parts that Stoa stands on, and the look at each.

mod documents;
mod machine;
mod mail;
mod storage;
mod tools;

use std::fmt;

use serde::Serialize;

use crate::commands::Context;

/// One part, as it was found.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Its name.
    pub part: &'static str,
    /// How it is.
    pub state: State,
    /// What was found: a version, a size, what is wrong.
    pub found: String,
    /// What Stoa uses it for.
    pub purpose: &'static str,
}

/// How a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it should be.
    Ok,
    /// Not there, and Stoa does without.
    Absent,
    /// It works, but should be seen to.
    Warning,
    /// Stoa can't do without it, and it does not work.
    Broken,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "ok",
            Self::Absent => "absent",
            Self::Warning => "warning",
            Self::Broken => "broken",
        })
    }
}

/// Looks at every part.
pub async fn examine(context: &Context) -> Vec<Finding> {
    let config = &context.config;
    let mut findings = vec![
        machine::settings(&context.environment),
        machine::data_folder(&config.data),
        machine::free_space(&config.data),
        machine::secret_key(&config.secret_key_file()),
        storage::database(context).await,
        storage::blobs(context).await,
    ];
    findings.extend(machine::certificate(config));
    findings.extend(mail::server(config).await);
    findings.extend(machine::watches());
    findings.push(documents::look(&context.ambient).await);
    for tool in tools::TOOLS {
        findings.push(tool.look().await);
    }
    findings
}
