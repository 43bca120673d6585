//! Programs that Stoa calls where they are installed.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use super::{Finding, State};

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// A program, and how it is asked for its version.
#[derive(Debug)]
pub struct Tool {
    name: &'static str,
    version_flag: &'static str,
    purpose: &'static str,
}

/// All of them. None is needed.
pub const TOOLS: &[Tool] = &[
    Tool { name: "tesseract", version_flag: "--version", purpose: "optional: text in images" },
    Tool { name: "ffmpeg", version_flag: "-version", purpose: "optional: audio and video" },
    Tool { name: "git", version_flag: "--version", purpose: "optional: repositories" },
];

impl Tool {
    /// Asks the program for its version.
    pub async fn look(&self) -> Finding {
        let (state, found) = match tokio::time::timeout(PATIENCE, self.version()).await {
            Ok(Ok(version)) => (State::Ok, version),
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                (State::Absent, "not installed".to_owned())
            }
            Ok(Err(error)) => (State::Warning, error.to_string()),
            Err(_) => (State::Warning, "does not answer".to_owned()),
        };
        Finding { part: self.name, state, found, purpose: self.purpose }
    }

    /// The first line that it prints.
    async fn version(&self) -> std::io::Result<String> {
        let mut command = Command::new(self.name);
        command.arg(self.version_flag).stdin(Stdio::null()).kill_on_drop(true);
        let output = command.output().await?;
        let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
        Ok(String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned())
    }
}
