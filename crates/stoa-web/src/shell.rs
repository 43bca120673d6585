//! What stands around every page.

use crate::assets::{CSS, SCRIPT};
use crate::language::Language;
use crate::texts::Texts;
use crate::visitor::{Guest, Visitor};

/// Which page of the navigation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// None of them.
    None,
    /// The first page.
    Home,
    /// The list of agents.
    Agents,
    /// What clients were about.
    Diagnosis,
}

/// What the layout needs of a request.
#[derive(Debug)]
pub(crate) struct Shell {
    pub language: Language,
    /// The person's address, where one is signed in.
    pub email: Option<String>,
    pub section: Section,
    /// Where to come back to from a change of language.
    pub here: String,
}

impl Shell {
    /// Around a page for everybody.
    pub fn open(visitor: &Visitor) -> Self {
        Self { language: visitor.language, email: None, section: Section::None, here: visitor.asked.clone() }
    }

    /// Around a page of a person's.
    pub fn of(guest: &Guest, section: Section) -> Self {
        let email = Some(guest.person.email.to_string());
        Self { email, section, ..Self::open(&guest.visitor) }
    }

    pub fn texts(&self) -> &'static Texts {
        self.language.texts()
    }

    #[expect(clippy::unused_self, reason = "templates ask the shell")]
    pub fn css(&self) -> &'static str {
        &CSS.path
    }

    #[expect(clippy::unused_self, reason = "templates ask the shell")]
    pub fn script(&self) -> &'static str {
        &SCRIPT.path
    }

    #[expect(clippy::unused_self, reason = "templates ask the shell")]
    pub fn languages(&self) -> [Language; 2] {
        Language::ALL
    }

    pub fn is_home(&self) -> bool {
        self.section == Section::Home
    }

    pub fn is_diagnosis(&self) -> bool {
        self.section == Section::Diagnosis
    }

    pub fn is_agents(&self) -> bool {
        self.section == Section::Agents
    }
}
