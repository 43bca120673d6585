//! A lost password: what is mailed to whom, and that nobody is told who has an account. Invitations by mail.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mail_parser::MessageParser;
use sqlx::query_as;
use stoa_identity::{Email, Role, accounts};
use stoa_store::on;
use stoa_testing::{Mail, TestDatabase, TestMailServer, on_both};

use super::agents::send;
use super::security::ask_for_second_factor;
use super::{EMAIL, PASSWORD, add_person, cookie, enter, member};
use crate::support::{Anonymous, Answer, App, MIGRATIONS, post};

const ORIGIN: &str = "http://localhost:8787";
const NEW: &str = "a stoa at noon, quite long";

/// A house that has its letters carried on by this server.
async fn mailing(test: TestDatabase, server: &TestMailServer) -> App {
    let settings = [("STOA_MAIL__URL", server.url.as_str()), ("STOA_MAIL__FROM", "Stoa <stoa@example.org>")];
    App::with(test, &settings).await
}

fn browser(app: &App) -> Anonymous {
    app.anonymous().with("origin", ORIGIN)
}

/// Asks for a link, and waits for what comes after the answer.
async fn ask(app: &App, browser: &Anonymous, address: &str) -> Answer {
    let answer = post(browser, "/forgot", &[("email", address)]).await;
    app.services.web.settled().await;
    answer
}

/// The secret of the link to this page in a mail, which has one link of ours beside the house's own address.
fn secret(mail: &Mail, page: &str) -> String {
    let message = MessageParser::default().parse(&mail.text).unwrap();
    let text = message.body_text(0).unwrap();
    let mut links = text.split_whitespace().filter(|word| word.contains("://") && *word != ORIGIN);
    let link = links.next().unwrap().to_owned();
    assert_eq!(links.next(), None, "{text}");
    link.strip_prefix(&format!("{ORIGIN}/{page}#")).unwrap().to_owned()
}

async fn reset(browser: &Anonymous, secret: &str, password: &str) -> Answer {
    post(browser, "/reset", &[("secret", secret), ("password", password)]).await
}

/// Status and code of everybody who asked for a link, and whether it is known who they are.
async fn asked(app: &App) -> Vec<(String, Option<String>, bool)> {
    app.house.audit.stop().await;
    let sql = "SELECT status, code, account_id IS NOT NULL FROM audit_entry WHERE tool = 'ask for a reset link' ORDER BY seq";
    on!(read app.house.db, c => query_as(sql).fetch_all(c).await).unwrap()
}

on_both! {
    async fn a_lost_password_is_replaced_with_the_link_out_of_the_mail(test) with MIGRATIONS; {
        let server = TestMailServer::start().await;
        let app = mailing(test, &server).await;
        add_person(&app, EMAIL).await;
        let browser = browser(&app);
        let page = browser.get("/sign-in").await.body.as_str().unwrap().to_owned();
        assert!(page.contains("href=\"/forgot\"") && !page.contains("stoa account reset"), "{page}");
        assert_eq!(browser.get("/forgot").await.status, 200);
        let answer = ask(&app, &browser, " Grace@Example.com ").await;
        assert_eq!(answer.status, 200);
        let mails = server.mails().await;
        let [mail] = &mails[..] else { panic!("{mails:?}") };
        assert_eq!((mail.from.as_str(), &mail.to[..]), ("<stoa@example.org>", &[format!("<{EMAIL}>")][..]));
        let message = MessageParser::default().parse(&mail.text).unwrap();
        assert_eq!(message.subject(), Some("A new password for Stoa"));
        assert_eq!(message.date().unwrap().to_rfc3339(), "2026-01-01T00:00:00Z");
        assert_eq!(message.header_raw("Auto-Submitted").map(str::trim), Some("auto-generated"));
        assert!(message.message_id().unwrap().ends_with("@example.org"), "{mail:?}");
        assert!(message.body_text(0).unwrap().contains("good once, for 1 hour"), "{mail:?}");
        let secret = secret(mail, "reset");
        assert!(!answer.body.as_str().unwrap().contains(&secret));
        assert_eq!(reset(&browser, &secret, NEW).await.status, 303);
        let again = reset(&browser, &secret, NEW).await;
        assert_eq!(again.status, 400);
        assert!(again.body.as_str().unwrap().contains("href=\"/forgot\""), "{}", again.body);
        assert_eq!(post(&browser, "/sign-in", &[("email", EMAIL), ("password", PASSWORD)]).await.status, 401);
        assert_eq!(post(&browser, "/sign-in", &[("email", EMAIL), ("password", NEW)]).await.status, 303);
        assert_eq!(asked(&app).await, [("ok".to_owned(), None, true)]);
        let sql = "SELECT tool, arguments FROM audit_entry";
        let all: Vec<(String, String)> = on!(read app.house.db, c => query_as(sql).fetch_all(c).await).unwrap();
        assert!(!format!("{all:?}").contains(&secret));
    }
}

on_both! {
    async fn whether_anybody_has_an_address_the_answer_does_not_tell(test) with MIGRATIONS; {
        let server = TestMailServer::start().await;
        let app = mailing(test, &server).await;
        add_person(&app, EMAIL).await;
        add_person(&app, "gone@example.com").await;
        let gone: Email = "gone@example.com".parse().unwrap();
        let act = app.house.act(app.house.default, "account disable", serde_json::json!({}));
        let gone = accounts::by_email(&app.house.db, &gone).await.unwrap().unwrap();
        accounts::disable(&app.house.db, &app.house.ambient, &act, gone.id).await.unwrap();
        let browser = browser(&app);
        let known = ask(&app, &browser, EMAIL).await;
        assert_eq!((known.status.as_u16(), server.mails().await.len()), (200, 1));
        let nobody = [
            "nobody@example.com",
            "gone@example.com",
            "",
            "nobody",
            "grace@example.com\r\nBcc: eve@example.com",
            "grace@example.com,eve@example.com",
            "eve@example.com grace@example.com",
            "<grace@example.com>",
        ];
        for address in nobody {
            let answer = ask(&app, &browser, address).await;
            assert_eq!((answer.status, answer.raw), (known.status, known.raw.clone()), "{address:?}");
        }
        assert_eq!(server.mails().await, []);
        let asked = asked(&app).await;
        let refused = ("denied".to_owned(), Some("not_found".to_owned()), false);
        assert_eq!(asked[1..], vec![refused; nobody.len()]);
    }
}

on_both! {
    async fn a_few_mails_an_hour_go_to_one_address_whoever_asks(test) with MIGRATIONS; {
        let server = TestMailServer::start().await;
        let app = mailing(test, &server).await;
        add_person(&app, EMAIL).await;
        let browser = browser(&app);
        let first = ask(&app, &browser.at("192.0.2.1"), EMAIL).await;
        for network in ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"] {
            let answer = ask(&app, &browser.at(network), EMAIL).await;
            assert_eq!((answer.status, answer.raw), (first.status, first.raw.clone()));
        }
        let mails = server.mails().await;
        assert_eq!(mails.len(), 3);
        // Who asks for nothing but trouble does not make the last link worthless.
        let secret = secret(&mails[2], "reset");
        app.clock.advance(Duration::from_mins(20));
        ask(&app, &browser, "nobody@example.com").await;
        assert_eq!(reset(&browser, &secret, NEW).await.status, 303);
        ask(&app, &browser, EMAIL).await;
        ask(&app, &browser, EMAIL).await;
        assert_eq!(server.mails().await.len(), 1);
        let codes: Vec<_> = asked(&app).await.into_iter().filter_map(|(_, code, _)| code).collect();
        assert_eq!(codes, ["too_many_attempts", "too_many_attempts", "not_found", "too_many_attempts"]);
    }
}

on_both! {
    async fn a_network_that_asks_much_is_told_when_to_come_again(test) with MIGRATIONS; {
        let server = TestMailServer::start().await;
        let app = mailing(test, &server).await;
        add_person(&app, EMAIL).await;
        let browser = browser(&app);
        let here = browser.at("192.0.2.1");
        for number in 0..20 {
            assert_eq!(ask(&app, &here, &format!("nobody-{number}@example.com")).await.status, 200);
        }
        let refused = ask(&app, &here, EMAIL).await;
        assert_eq!((refused.status.as_u16(), &refused.headers["retry-after"]), (429, &"181".parse().unwrap()));
        assert!(refused.body.as_str().unwrap().contains("Try again in 181 seconds"), "{}", refused.body);
        assert_eq!(server.mails().await, []);
        ask(&app, &browser.at("192.0.2.2"), EMAIL).await;
        app.clock.advance(Duration::from_mins(3));
        assert_eq!(ask(&app, &here, EMAIL).await.status, 200);
        assert_eq!(server.mails().await.len(), 2);
    }
}

on_both! {
    async fn the_link_of_a_mail_does_not_pass_for_the_second_factor(test) with MIGRATIONS; {
        let server = TestMailServer::start().await;
        let app = mailing(test, &server).await;
        add_person(&app, EMAIL).await;
        let browser = browser(&app);
        ask_for_second_factor(&app, &enter(&browser, EMAIL).await).await;
        ask(&app, &browser, EMAIL).await;
        let secret = secret(&server.mails().await[0], "reset");
        let half = reset(&browser, &secret, NEW).await;
        assert_eq!(half.headers["location"], "/sign-in/code?next=%2F");
        let half = browser.with("cookie", &cookie(&half));
        assert_eq!(half.get("/security").await.headers["location"], "/sign-in?next=%2Fsecurity");
    }
}

/// What is logged in this thread.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

on_both! {
    async fn a_mail_server_that_is_down_or_refuses_changes_nothing_but_the_log(test) with MIGRATIONS; {
        let log = Log::default();
        let writer = log.clone();
        let logs = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        let _here = tracing::subscriber::set_default(logs);
        let server = TestMailServer::that_knows_nobody().await;
        let app = mailing(test, &server).await;
        let owner = member(&app, Role::Owner).await;
        let browser = browser(&app);
        let nobody = ask(&app, &browser, "nobody@example.com").await;
        assert!(!log.text().contains("mailed"), "{}", log.text());
        let refused = ask(&app, &browser, EMAIL).await;
        assert!(log.text().contains("a reset link could not be mailed error=the mail server refused the letter with code 550"), "{}", log.text());
        let (status, page) = send(&owner, "/invitations", &[("email", "new@example.com"), ("role", "member")]).await;
        assert!(status == 200 && page.contains("could not be mailed") && page.contains("/invite#"), "{page}");
        drop(server);
        tokio::task::yield_now().await;
        let down = ask(&app, &browser, EMAIL).await;
        assert!(log.text().contains("can't be reached"), "{}", log.text());
        for answer in [refused, down] {
            assert_eq!((answer.status, answer.raw), (nobody.status, nobody.raw.clone()));
        }
        for hidden in [EMAIL, "new@example.com", "hunter2", "reset#", "invite#"] {
            assert!(!log.text().contains(hidden), "{hidden} in {}", log.text());
        }
    }
}

on_both! {
    async fn an_invitation_for_an_address_is_mailed_there_too(test) with MIGRATIONS; {
        let server = TestMailServer::start().await;
        let app = mailing(test, &server).await;
        let owner = member(&app, Role::Owner).await;
        assert!(owner.get("/members").await.body.as_str().unwrap().contains("mailed there, too"));
        let (_, page) = send(&owner, "/invitations", &[("role", "member")]).await;
        assert!(page.contains("/invite#") && !page.contains("mailed"), "{page}");
        assert_eq!(server.mails().await, []);
        let invite = async |browser: &Anonymous, address: &str| {
            let (status, page) = send(browser, "/invitations", &[("email", address), ("role", "admin")]).await;
            assert_eq!(status, 200, "{page}");
            page
        };
        let page = invite(&owner, "new@example.com").await;
        assert!(page.contains("The invitation was mailed"), "{page}");
        let mails = server.mails().await;
        assert_eq!(mails[0].to, ["<new@example.com>"]);
        let secret = secret(&mails[0], "invite");
        assert!(page.contains(&format!("/invite#{secret}")), "the page shows the same link");
        let message = MessageParser::default().parse(&mails[0].text).unwrap();
        let text = message.body_text(0).unwrap();
        assert!(text.contains("workspace default") && text.contains(EMAIL) && text.contains("Admin"), "{text}");
        let opened = post(&browser(&app), "/invite", &[("secret", &secret)]).await;
        assert_eq!(opened.status, 303);
        // Two addresses are none: the link is there, and nobody gets it by mail.
        let page = invite(&owner, "a,b@example.com").await;
        assert!(page.contains("could not be mailed"), "{page}");
        assert_eq!(server.mails().await, []);
    }
}

on_both! {
    async fn letters_are_in_the_language_of_the_page(test) with MIGRATIONS; {
        let server = TestMailServer::start().await;
        let app = mailing(test, &server).await;
        let owner = member(&app, Role::Owner).await.with("accept-language", "es");
        let answer = ask(&app, &browser(&app).with("accept-language", "es"), EMAIL).await;
        assert!(answer.body.as_str().unwrap().contains("Si hay una cuenta con este correo"), "{}", answer.body);
        send(&owner, "/invitations", &[("email", "new@example.com"), ("role", "member")]).await;
        let mails = server.mails().await;
        let [reset, invitation] = &mails[..] else { panic!("{mails:?}") };
        secret(reset, "reset");
        secret(invitation, "invite");
        let message = MessageParser::default().parse(&reset.text).unwrap();
        assert_eq!(message.subject(), Some("Una contraseña nueva para Stoa"));
        assert!(message.body_text(0).unwrap().contains("Alguien pidió una contraseña nueva"));
        let message = MessageParser::default().parse(&invitation.text).unwrap();
        assert_eq!(message.subject(), Some("Invitación al espacio de trabajo default"));
    }
}

on_both! {
    async fn without_a_mail_server_there_is_no_such_page(test) with MIGRATIONS; {
        let app = App::on(test).await;
        let owner = member(&app, Role::Owner).await;
        let browser = browser(&app);
        assert_eq!(browser.get("/forgot").await.status, 404);
        assert_eq!(ask(&app, &browser, EMAIL).await.status, 404);
        let page = browser.get("/sign-in").await.body.as_str().unwrap().to_owned();
        assert!(page.contains("stoa account reset") && !page.contains("/forgot"), "{page}");
        let (_, page) = send(&owner, "/invitations", &[("email", "new@example.com"), ("role", "member")]).await;
        assert!(page.contains("/invite#") && !page.contains("mailed"), "{page}");
    }
}
