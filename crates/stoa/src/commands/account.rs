//! `stoa account`: the people.

use std::fmt;
use std::io::BufRead;

use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::json;
use stoa_identity::accounts::{self, NewAccount};
use stoa_identity::{Account as Person, Email, Password};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

/// `stoa account …`
#[derive(Debug, Subcommand)]
pub enum Account {
    /// Add a person; the first one owns the workspace default
    Add(Add),
}

/// Arguments of `stoa account add`.
#[derive(Debug, Args)]
pub struct Add {
    /// The address that names the account
    email: Email,
    /// Read a password from the first line of standard input; without one the account has none
    #[arg(long)]
    password_stdin: bool,
}

#[derive(Debug, Serialize)]
struct Added(Person);

impl Account {
    /// Does what was asked.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let Self::Add(add) = self;
        let password = if add.password_stdin { Some(read_password()?) } else { None };
        let act = house.act(house.default, "account add", json!({ "email": add.email }));
        let new = NewAccount { email: add.email, password };
        let account = end(&act, accounts::add(&house.db, &house.ambient, &act, new).await).await?;
        context.output.print(&Added(account))
    }
}

fn read_password() -> Result<Password, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Failure::Input)?;
    Ok(Password::new(line.trim_end_matches(['\r', '\n']))?)
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "added the account {}", self.0.email)
    }
}
