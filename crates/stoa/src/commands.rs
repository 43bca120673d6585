//! The commands, one file each.
//!
//! They work on the database: beside a running server, which they wake, and without one. What they do is
//! noted in the audit on the channel `cli`.

pub mod account;
pub mod audit;
pub mod backup;
pub mod connect;
pub mod doctor;
pub mod restore;
pub mod serve;
pub mod setup_link;
pub mod things;
pub mod token;
pub mod version;
pub mod worker;
pub mod workspace;

use std::path::PathBuf;

use stoa_base::Ambient;
use stoa_store::DatabaseUrl;

use crate::cli::{Cli, Command};
use crate::config::{Config, Environment};
use crate::failure::Failure;
use crate::house::House;
use crate::logs;
use crate::output::Output;

/// What every command is given.
#[derive(Clone, Debug)]
pub struct Context {
    /// The configuration: file, environment, flags.
    pub config: Config,
    /// The environment it came from.
    pub environment: Environment,
    /// Where and how to print.
    pub output: Output,
    /// Time and chance.
    pub ambient: Ambient,
    /// `--data`, as it was typed: commands that are suggested need it again.
    data_flag: Option<PathBuf>,
}

impl Context {
    /// How this program was called, as the beginning of a command to be typed.
    #[must_use]
    pub fn program(&self) -> String {
        let program = std::env::args_os()
            .next()
            .map_or_else(|| "stoa".to_owned(), |name| quote(&name.to_string_lossy()));
        match &self.data_flag {
            Some(data) => format!("{program} --data {}", quote(&data.to_string_lossy())),
            None => program,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// [`Failure`]: the sentence that the person reads.
pub async fn run(cli: Cli) -> Result<(), Failure> {
    let environment = Environment::of_process();
    let config = Config::load(&cli.flags(), &environment)?;
    logs::start(&config.log, matches!(cli.command, Command::Serve(_)))?;
    let output = Output { json: cli.global.json };
    let context =
        Context { config, environment, output, ambient: Ambient::system(), data_flag: cli.global.data };
    dispatch(cli.command, &context).await
}

async fn dispatch(command: Command, context: &Context) -> Result<(), Failure> {
    match command {
        Command::Serve(command) => command.run(context).await,
        Command::Connect(command) => command.run(context),
        Command::Doctor(command) => command.run(context).await,
        Command::Restore(command) => command.run(context).await,
        Command::Version => version::run(context),
        // Ran, and ended the process, before there was a runtime to run this.
        Command::Worker(_) => Ok(()),
        // The first account may come before the first start, and so may the link that makes it.
        Command::SetupLink => around(context, async |house| setup_link::run(context, house).await).await,
        Command::Account(command) => around(context, async |house| command.run(context, house).await).await,
        Command::Workspace(command) => {
            in_house(context, async |house| command.run(context, house).await).await
        }
        Command::Token(command) => in_house(context, async |house| command.run(context, house).await).await,
        Command::Things(command) => in_house(context, async |house| command.run(context, house).await).await,
        Command::Audit(command) => in_house(context, async |house| command.run(context, house).await).await,
        Command::Backup(command) => in_house(context, async |house| command.run(context, house).await).await,
    }
}

/// Opens the house around a command that needs one. Typed in the wrong folder, without a word about the data
/// folder, it must not begin a second Stoa there.
async fn in_house(
    context: &Context,
    command: impl AsyncFnOnce(&House) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let DatabaseUrl::Sqlite(file) = context.config.database()?
        && context.config.is_default_data()
        && !file.exists()
    {
        return Err(Failure::NoStoa(context.config.data.clone()));
    }
    around(context, command).await
}

/// Opens the house around a command, making it where there is none.
async fn around(
    context: &Context,
    command: impl AsyncFnOnce(&House) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let house = House::open(&context.config, &context.ambient).await?;
    let outcome = command(&house).await;
    house.close().await;
    outcome
}

/// A word as a shell takes it whatever it holds.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_part_them() {
        assert_eq!(quote("target/debug/stoa"), "target/debug/stoa");
        assert_eq!(quote("my data"), "'my data'");
        assert_eq!(quote("it's"), "'it'\\''s'");
    }
}
