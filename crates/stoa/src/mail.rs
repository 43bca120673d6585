//! Letters by SMTP: each goes over a connection of its own, and nothing waits here that a mail server did not take.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use futures::FutureExt;
use futures::future::BoxFuture;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::Error as SmtpError;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use stoa_base::Ambient;
use stoa_web::{Letter, MailError, Mailer};

use crate::config::Config;
use crate::failure::Failure;

/// How long a letter is tried: a page waits for it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Says to other programs that nobody wrote this letter, so that none answers that its person is away (RFC 3834).
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

type Transport = AsyncSmtpTransport<Tokio1Executor>;

struct Smtp {
    transport: Transport,
    from: Mailbox,
    ambient: Ambient,
}

impl Mailer for Smtp {
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<(), MailError>> {
        async move {
            let message = self.written(letter)?;
            patiently(self.transport.send(message)).await?;
            Ok(())
        }
        .boxed()
    }
}

impl Smtp {
    fn written(&self, letter: &Letter) -> Result<Message, MailError> {
        // What a person typed becomes a header only as an address that the grammar of mail knows.
        let to: Address = letter.to.as_str().parse().map_err(|_| MailError::Address)?;
        let now = Duration::from_micros(self.ambient.now().as_micros().unsigned_abs());
        let id = format!("<{}@{}>", hex(&self.ambient.bytes::<16>()), self.from.email.domain());
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(letter.subject())
            .date(UNIX_EPOCH + now)
            .message_id(Some(id))
            .raw_header(HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(letter.text())
            .map_err(|_| MailError::Unwritten)
    }
}

fn hex(bytes: &[u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(*bytes))
}

async fn patiently<T>(sent: impl Future<Output = Result<T, SmtpError>>) -> Result<T, MailError> {
    let sent = tokio::time::timeout(PATIENCE, sent).await;
    sent.map_err(|_| MailError::TooSlow(PATIENCE))?.map_err(|error| fault(&error))
}

/// What went wrong, without the mail server's own words: they mostly name the address.
fn fault(error: &SmtpError) -> MailError {
    match error.status() {
        Some(code) => MailError::Refused(code.into()),
        None if error.is_response() => MailError::Unreadable,
        None => MailError::Unreachable(error.to_string()),
    }
}

/// The one who carries letters, where a mail server is configured.
///
/// # Errors
/// [`Failure`] names the key that can't be used, and never shows the URL, which may hold a password.
pub fn of(config: &Config, ambient: &Ambient) -> Result<Option<Arc<dyn Mailer>>, Failure> {
    let Some((transport, from)) = read(config)? else { return Ok(None) };
    Ok(Some(Arc::new(Smtp { transport, from, ambient: ambient.clone() })))
}

/// Whether the mail server answers and takes the password, without a letter; `None`: none is configured.
///
/// # Errors
/// As [`of`].
pub async fn greet(config: &Config) -> Result<Option<Result<(), MailError>>, Failure> {
    let Some((transport, _)) = read(config)? else { return Ok(None) };
    let greeted = patiently(transport.test_connection()).await;
    Ok(Some(greeted.and_then(|is_well| if is_well { Ok(()) } else { Err(MailError::Unreadable) })))
}

fn read(config: &Config) -> Result<Option<(Transport, Mailbox)>, Failure> {
    let Some((url, from)) = config.mail() else { return Ok(None) };
    let from = from.parse().map_err(|_| Failure::MailFrom(from.to_owned()))?;
    let transport = Transport::from_url(url).map_err(|_| Failure::MailUrl)?.timeout(Some(PATIENCE)).build();
    Ok(Some((transport, from)))
}

#[cfg(test)]
mod tests {
    use stoa_web::{Language, Matter};

    use super::*;
    use crate::config::{Environment, Flags};

    fn configured(url: &str, from: &str) -> Result<Option<Arc<dyn Mailer>>, Failure> {
        let all = [("STOA_MAIL__URL", url), ("STOA_MAIL__FROM", from)];
        let all = all.map(|(name, value)| (name.to_owned(), value.to_owned()));
        of(&Config::load(&Flags::default(), &Environment::of(all.into_iter()))?, &Ambient::system())
    }

    fn written(to: &str) -> Result<String, MailError> {
        let smtp = Smtp {
            transport: Transport::builder_dangerous("localhost").build(),
            from: "Stoa <stoa@example.org>".parse().unwrap(),
            ambient: Ambient::system(),
        };
        let letter = Letter {
            to: to.parse().unwrap(),
            language: Language::Spanish,
            house: "https://stoa.example.org".to_owned(),
            link: "https://stoa.example.org/reset#secret".to_owned(),
            about: Matter::Reset,
        };
        Ok(String::from_utf8(smtp.written(&letter)?.formatted()).unwrap())
    }

    #[test]
    fn a_wrong_value_is_refused_by_the_name_of_its_key_and_no_password_is_shown() {
        let refused = |url, from| configured(url, from).err().unwrap().to_string();
        let from = "Stoa <stoa@example.org>";
        for url in
            ["u:hunter2@mail.example.org", "https://u:hunter2@h", "smtp://u:hunter2@h?tls=maybe", "hunter2"]
        {
            let told = refused(url, from);
            assert!(told.starts_with("mail.url") && !told.contains("hunter2"), "{told}");
        }
        for from in ["Stoa", "Stoa <stoa>", "stoa@example.org\r\nBcc: eve@example.org", "a@b, c@d"] {
            let told = refused("smtp://localhost", from);
            assert!(told.starts_with("mail.from"), "{told}");
        }
        assert!(refused("smtp://localhost", "").starts_with("mail takes both or neither"));
        assert!(refused("", from).starts_with("mail takes both or neither"));
    }

    #[test]
    fn what_servers_ask_for_is_taken_and_without_any_there_is_no_mail() {
        for url in ["smtp://localhost:25", "smtps://u:p%40ss@h", "smtp://u:p@h:587?tls=required"] {
            assert!(configured(url, "stoa@example.org").unwrap().is_some(), "{url}");
        }
        assert!(configured("", "").unwrap().is_none());
    }

    #[test]
    fn an_address_is_one_recipient_or_none() {
        let letter = written("ann@example.com").unwrap();
        assert!(letter.contains("\r\nTo: ann@example.com\r\n"), "{letter}");
        for address in
            ["ann@example.com,eve@example.com", "<ann@example.com>", "a,b@example.com", "a@b\u{85}c"]
        {
            let Ok(address) = address.parse::<stoa_identity::Email>() else { continue };
            assert_eq!(written(address.as_str()), Err(MailError::Address), "{address}");
        }
    }
}
