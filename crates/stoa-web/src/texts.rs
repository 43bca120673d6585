//! Every word that a person reads on a page. A language is a [`Texts`] of its own: one that lacks a word does not
//! compile.

pub mod en;
pub mod es;

/// The words, grouped by page.
#[derive(Debug)]
pub struct Texts {
    /// Around every page.
    pub shell: Shell,
    /// Where the owner's account is made.
    pub setup: Setup,
    /// Where a lost password is replaced.
    pub reset: Reset,
    /// Where people sign in.
    pub sign_in: SignIn,
    /// The first page.
    pub home: Home,
    /// The list of agents.
    pub agents: Agents,
    /// What clients were about.
    pub diagnosis: Diagnosis,
    /// Where a person says yes to an agent.
    pub consent: Consent,
    /// What went wrong.
    pub trouble: Trouble,
}

/// Around every page.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Shell {
    pub skip: &'static str,
    pub home: &'static str,
    pub agents: &'static str,
    pub diagnosis: &'static str,
    pub sign_out: &'static str,
    pub signed_in_as: &'static str,
    pub language: &'static str,
    pub navigation: &'static str,
    pub copy: &'static str,
    pub copied: &'static str,
}

/// Where the owner's account is made.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Setup {
    pub title: &'static str,
    pub about: &'static str,
    pub email: &'static str,
    pub password: &'static str,
    pub password_hint: &'static str,
    pub make: &'static str,
    pub not_an_email: &'static str,
    pub password_short: &'static str,
    pub password_long: &'static str,
    pub password_common: &'static str,
    pub password_address: &'static str,
    pub needs_script: &'static str,
    pub not_good: &'static str,
}

/// Where a lost password is replaced.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Reset {
    pub title: &'static str,
    pub about: &'static str,
    pub password: &'static str,
    pub set: &'static str,
    pub not_good: &'static str,
}

/// Where people sign in.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct SignIn {
    pub title: &'static str,
    pub email: &'static str,
    pub password: &'static str,
    pub sign_in: &'static str,
    pub to_go_on: &'static str,
    pub refused: &'static str,
    pub too_many: fn(u64) -> String,
    pub busy: &'static str,
    pub code_title: &'static str,
    pub code: &'static str,
    pub code_hint: &'static str,
    pub code_refused: &'static str,
    pub lost: &'static str,
}

/// The first page.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Home {
    pub title: &'static str,
    pub services: &'static str,
    pub connect: &'static str,
    pub connect_about: &'static str,
    pub address: &'static str,
    pub claude: &'static str,
    pub codex: &'static str,
    pub gemini: &'static str,
    pub others: &'static str,
}

/// The list of agents.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Agents {
    pub title: &'static str,
    pub about: &'static str,
    pub none: &'static str,
    pub place: &'static str,
    pub client: &'static str,
    pub may: &'static str,
    pub since: &'static str,
    pub last_used: &'static str,
    pub never_used: &'static str,
    pub budget: &'static str,
    pub budget_default: &'static str,
    pub personal_token: &'static str,
    pub end: &'static str,
    pub end_hint: &'static str,
}

/// What clients were about.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Diagnosis {
    pub title: &'static str,
    pub about: &'static str,
    pub none: &'static str,
    pub discovery: &'static str,
    pub registration: &'static str,
    pub authorization: &'static str,
    pub consent: &'static str,
    pub token: &'static str,
    pub refresh: &'static str,
    pub revocation: &'static str,
    pub call: &'static str,
    pub said_no: &'static str,
    pub again: &'static str,
    pub forget: &'static str,
    pub redirect: &'static str,
    pub address: &'static str,
    pub later: &'static str,
    pub document: &'static str,
    pub used: &'static str,
    pub author: &'static str,
}

/// Where a person says yes to an agent.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Consent {
    pub title: &'static str,
    pub asks: fn(&str) -> String,
    pub unverified: &'static str,
    pub nameless: &'static str,
    pub client_host: &'static str,
    pub no_host: &'static str,
    pub goes_to: &'static str,
    pub this_machine: &'static str,
    pub program: &'static str,
    pub workspace: &'static str,
    pub may: &'static str,
    pub tools: &'static str,
    pub always: &'static str,
    pub label: &'static str,
    pub label_hint: &'static str,
    pub budget: &'static str,
    pub budget_hint: &'static str,
    pub as_new: &'static str,
    pub as_new_hint: &'static str,
    pub continue_as: fn(&str) -> String,
    pub in_use: &'static str,
    pub connect: &'static str,
    pub cancel: &'static str,
    pub not_me: &'static str,
    pub connected: &'static str,
    pub canceled: &'static str,
    pub carried_on: &'static str,
    pub go_on: &'static str,
    pub by_hand: &'static str,
}

/// What went wrong.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the word that it names")]
pub struct Trouble {
    pub title: &'static str,
    pub not_found: &'static str,
    pub nothing_waits: &'static str,
    pub not_a_member: &'static str,
    pub tampered: &'static str,
    pub unknown_client: &'static str,
    pub document: &'static str,
    pub redirect: &'static str,
    pub too_many: &'static str,
    pub what_to_do: &'static str,
    pub detail: &'static str,
}
