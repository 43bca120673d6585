//! Letters to people, and who carries them.

use std::time::Duration;

use futures::future::BoxFuture;
use stoa_base::text::visible;
use stoa_identity::{Email, Role, WorkspaceName};

use crate::language::Language;

/// A letter to one person. It holds the secret of its link, so it has no [`Debug`].
pub struct Letter {
    /// Whom it is for.
    pub to: Email,
    /// What it is written in: the language of the page from which it was asked for.
    pub language: Language,
    /// Where the outside world finds this.
    pub house: String,
    /// What the person is to open, with its secret.
    pub link: String,
    /// What it is about.
    pub about: Matter,
}

/// What a letter is about.
pub enum Matter {
    /// A new password, which somebody asked for.
    Reset,
    /// An invitation.
    Invitation {
        /// Into this workspace.
        workspace: WorkspaceName,
        /// What the person becomes there.
        role: Role,
        /// Whose invitation it is.
        by: Email,
    },
}

impl Letter {
    /// Its subject: one line.
    #[must_use]
    pub fn subject(&self) -> String {
        let t = &self.language.texts().letters;
        match &self.about {
            Matter::Reset => t.reset_subject.to_owned(),
            Matter::Invitation { workspace, .. } => (t.invitation_subject)(workspace.as_str()),
        }
    }

    /// Its text, plain.
    #[must_use]
    pub fn text(&self) -> String {
        let t = &self.language.texts().letters;
        let first = match &self.about {
            Matter::Reset => (t.reset)(&self.house),
            Matter::Invitation { workspace, role, by } => {
                let first = (t.invitation)(workspace.as_str(), &self.house);
                format!("{first}\n{}", self.particulars(*role, by))
            }
        };
        let (open, else_) = match self.about {
            Matter::Reset => (t.reset_open, t.reset_else),
            Matter::Invitation { .. } => (t.invitation_open, t.invitation_else),
        };
        format!("{first}\n\n{open}\n\n{}\n\n{else_}\n", self.link)
    }

    /// Who invites, and as what. An address that programs would show as a link is left out: whoever makes an account
    /// chooses theirs, and the only link of a letter is ours.
    fn particulars(&self, role: Role, by: &Email) -> String {
        let (t, role) = (&self.language.texts().invite, self.language.texts().members.role(role));
        let by = visible(by.as_str());
        let by = if by.contains(['/', ':']) { String::new() } else { format!("\n{}: {by}", t.invited_by) };
        format!("{by}\n{}: {role}", t.you_become)
    }
}

/// Why a letter did not leave. Nothing of the letter is in it, nor whom it is for: it may be logged.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MailError {
    /// No mail can be sent to such an address.
    #[error("no mail can be sent to such an address")]
    Address,
    /// The letter can't be written down.
    #[error("the letter can't be written down")]
    Unwritten,
    /// The mail server said no.
    #[error("the mail server refused the letter with code {0}")]
    Refused(u16),
    /// What the mail server said is no answer.
    #[error("the mail server's answer can't be read")]
    Unreadable,
    /// The mail server can't be reached.
    #[error("the mail server can't be reached: {0}")]
    Unreachable(String),
    /// The mail server took too long.
    #[error("the mail server did not take the letter within {} s", .0.as_secs())]
    TooSlow(Duration),
}

/// Who carries letters.
pub trait Mailer: Send + Sync {
    /// Hands a letter over to the mail server, or gives up after 10 s.
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<(), MailError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invitation(by: &str) -> Letter {
        Letter {
            to: "new@example.com".parse().unwrap(),
            language: Language::English,
            house: "https://stoa.example.com".to_owned(),
            link: "https://stoa.example.com/invite#secret".to_owned(),
            about: Matter::Invitation {
                workspace: "acme".parse().unwrap(),
                role: Role::Member,
                by: by.parse().unwrap(),
            },
        }
    }

    #[test]
    fn an_invitation_says_who_invites_whereto_and_as_what() {
        let text = invitation("ann@example.com").text();
        assert!(text.contains("workspace acme") && text.contains("Invited by: ann@example.com\n"), "{text}");
        assert!(text.contains("\nYou become: Member\n"), "{text}");
        assert!(text.contains("\n\nhttps://stoa.example.com/invite#secret\n\n"), "{text}");
    }

    #[test]
    fn the_only_links_of_a_letter_are_ours() {
        for by in ["https://evil.example/@x", "www.evil.example/in@x", "x@evil.example/in"] {
            let text = invitation(by).text();
            assert!(!text.contains("evil") && text.contains("You become: Member"), "{text}");
        }
    }
}
