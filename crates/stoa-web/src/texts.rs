//! Every word that a person reads on a page: one file a page, with its words in each language. One that is missing in
//! a language does not compile.

mod activity;
pub mod acts;
mod agents;
mod consent;
mod diagnosis;
mod forgot;
mod home;
mod invite;
mod letters;
mod members;
mod passkeys;
mod reach;
mod reset;
mod second_factor;
mod security;
mod settings;
mod setup;
mod shell;
mod sign_in;
mod trouble;
mod workspaces;

pub use activity::Activity;
pub use agents::Agents;
pub use consent::Consent;
pub use diagnosis::Diagnosis;
pub use forgot::Forgot;
pub use home::Home;
pub use invite::Invite;
pub use letters::Letters;
pub use members::Members;
pub use passkeys::Passkeys;
pub use reach::Reach;
pub use reset::Reset;
pub use second_factor::SecondFactor;
pub use security::Security;
pub use settings::Settings;
pub use setup::Setup;
pub use shell::Shell;
pub use sign_in::SignIn;
pub use trouble::Trouble;
pub use workspaces::Workspaces;

/// The words, grouped by page.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the page that it names")]
pub struct Texts {
    pub activity: Activity,
    pub agents: Agents,
    pub consent: Consent,
    pub diagnosis: Diagnosis,
    pub forgot: Forgot,
    pub home: Home,
    pub passkeys: Passkeys,
    pub invite: Invite,
    pub letters: Letters,
    pub members: Members,
    pub reach: Reach,
    pub reset: Reset,
    pub second_factor: SecondFactor,
    pub security: Security,
    pub settings: Settings,
    pub setup: Setup,
    pub shell: Shell,
    pub sign_in: SignIn,
    pub trouble: Trouble,
    pub workspaces: Workspaces,
}

/// Every word in English.
pub(crate) const ENGLISH: Texts = Texts {
    activity: activity::EN,
    agents: agents::EN,
    consent: consent::EN,
    diagnosis: diagnosis::EN,
    forgot: forgot::EN,
    home: home::EN,
    passkeys: passkeys::EN,
    invite: invite::EN,
    letters: letters::EN,
    members: members::EN,
    reach: reach::EN,
    reset: reset::EN,
    second_factor: second_factor::EN,
    security: security::EN,
    settings: settings::EN,
    setup: setup::EN,
    shell: shell::EN,
    sign_in: sign_in::EN,
    trouble: trouble::EN,
    workspaces: workspaces::EN,
};

/// Every word in Spanish.
pub(crate) const SPANISH: Texts = Texts {
    activity: activity::ES,
    agents: agents::ES,
    consent: consent::ES,
    diagnosis: diagnosis::ES,
    forgot: forgot::ES,
    home: home::ES,
    passkeys: passkeys::ES,
    invite: invite::ES,
    letters: letters::ES,
    members: members::ES,
    reach: reach::ES,
    reset: reset::ES,
    second_factor: second_factor::ES,
    security: security::ES,
    settings: settings::ES,
    setup: setup::ES,
    shell: shell::ES,
    sign_in: sign_in::ES,
    trouble: trouble::ES,
    workspaces: workspaces::ES,
};
