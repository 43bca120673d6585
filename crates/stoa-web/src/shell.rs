//! What stands around every page.

use stoa_base::Timestamp;
use stoa_identity::Role;

use crate::assets::{CSS, PASSKEYS, SCRIPT};
use crate::language::Language;
use crate::member::Member;
use crate::texts::Texts;
use crate::visitor::{Guest, Visitor};
use crate::web::Web;
use crate::when::When;

/// Which page of the navigation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// None of them.
    None,
    /// The first page.
    Home,
    /// The list of agents.
    Agents,
    /// Who belongs to the workspace.
    Members,
    /// The workspace as a whole.
    Settings,
    /// The workspaces of the person.
    Workspaces,
    /// What was done.
    Activity,
    /// What clients were about.
    Diagnosis,
    /// How a person signs in.
    Security,
    /// The pages of the service with this name.
    Service(&'static str),
}

/// A page of the navigation.
#[derive(Debug)]
pub struct Link {
    /// Where it leads.
    pub path: String,
    /// What it says.
    pub label: &'static str,
    /// Whether this is the page.
    pub is_here: bool,
}

/// What the layout needs of a request; a service's templates extend the same layout.
#[derive(Debug)]
pub struct Shell {
    /// What the page is written in.
    pub language: Language,
    /// What stands before the paths of the workspace's pages: nothing for `default`.
    pub base: String,
    /// The address of the person who is signed in.
    pub email: Option<String>,
    /// The pages that lead on from everywhere.
    pub navigation: Vec<Link>,
    /// Whether this is the person's own page, which stands beside their address.
    pub is_security: bool,
    /// Where to come back to from a change of language.
    pub here: String,
}

impl Shell {
    /// Around a page for everybody.
    #[must_use]
    pub fn open(visitor: &Visitor) -> Self {
        let (language, here) = (visitor.language, visitor.asked.clone());
        Self { language, base: String::new(), email: None, navigation: Vec::new(), is_security: false, here }
    }

    /// Around a page of a person's that belongs to no workspace.
    #[must_use]
    pub fn of(web: &Web, guest: &Guest, section: Section) -> Self {
        Self::around(web, guest, String::new(), section)
    }

    /// Around a page of a workspace.
    #[must_use]
    pub fn inside(web: &Web, member: &Member, section: Section) -> Self {
        let mut shell = Self::around(web, &member.guest, member.base(), section);
        if member.caller.role == Role::Owner {
            shell.navigation.push(Link {
                path: format!("{}/settings", shell.base),
                label: shell.texts().settings.title,
                is_here: section == Section::Settings,
            });
        }
        shell
    }

    fn around(web: &Web, guest: &Guest, base: String, section: Section) -> Self {
        let open = Self::open(&guest.visitor);
        let navigation = navigation(web, open.texts(), &base, section);
        let (email, is_security) = (Some(guest.person.email.to_string()), section == Section::Security);
        Self { base, email, navigation, is_security, ..open }
    }

    /// Every word in the language of the page.
    #[must_use]
    pub fn texts(&self) -> &'static Texts {
        self.language.texts()
    }

    /// A moment, as a person reads it now.
    #[must_use]
    pub fn when(&self, web: &Web, at: Timestamp) -> When {
        When::new(self.language, web.ambient().now(), at)
    }

    /// The path of the sheet.
    #[must_use]
    pub fn css(&self) -> &'static str {
        &CSS.path
    }

    /// The path of the script.
    #[must_use]
    pub fn script(&self) -> &'static str {
        &SCRIPT.path
    }

    /// The script of the pages that have something to do with passkeys.
    #[must_use]
    pub fn passkeys_script(&self) -> &'static str {
        &PASSKEYS.path
    }

    /// What pages are written in.
    #[must_use]
    pub fn languages(&self) -> [Language; 2] {
        Language::ALL
    }
}

/// The pages that lead on from everywhere: first the services, then the house's own.
fn navigation(web: &Web, texts: &Texts, base: &str, section: Section) -> Vec<Link> {
    let t = &texts.shell;
    let link = |path: &str, label, leads_to| Link {
        path: format!("{base}{path}"),
        label,
        is_here: section == leads_to,
    };
    let with_pages = web.faces().iter().filter(|face| !face.pages.is_empty());
    let services =
        with_pages.map(|face| link(&format!("/{}/", face.name), face.title, Section::Service(face.name)));
    // Of the person, so under no workspace.
    let workspaces = Link {
        path: "/workspaces".to_owned(),
        label: texts.workspaces.title,
        is_here: section == Section::Workspaces,
    };
    std::iter::once(link("/", t.home, Section::Home))
        .chain(services)
        .chain([
            link("/agents", t.agents, Section::Agents),
            link("/activity", texts.activity.title, Section::Activity),
            link("/diagnosis", t.diagnosis, Section::Diagnosis),
            link("/members", texts.members.title, Section::Members),
        ])
        .chain(std::iter::once(workspaces))
        .collect()
}
