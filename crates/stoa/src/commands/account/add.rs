//! `stoa account add`.

use std::fmt;
use std::io::BufRead;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use stoa_identity::accounts::{self, NewAccount};
use stoa_identity::{Account, Email, Password};

use crate::commands::Context;
use crate::failure::Failure;
use crate::house::{House, end};

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
struct Added(Account);

impl Add {
    /// Adds the person.
    ///
    /// # Errors
    /// [`Failure`] says what stands in the way.
    pub async fn run(self, context: &Context, house: &House) -> Result<(), Failure> {
        let password = if self.password_stdin { Some(read_password(&self.email)?) } else { None };
        let act = house.act(house.default, "account add", json!({ "email": self.email }));
        let new = NewAccount { email: self.email, password };
        let account = end(&act, accounts::add(&house.db, &house.ambient, &act, new).await).await?;
        context.output.print(&Added(account))
    }
}

fn read_password(email: &Email) -> Result<Password, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).map_err(Failure::Input)?;
    Ok(Password::chosen(line.trim_end_matches(['\r', '\n']), email)?)
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "added the account {}", self.0.email)
    }
}
