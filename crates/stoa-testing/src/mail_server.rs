//! A mail server inside the test process: it keeps what it is given.

use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// `stoa` and `hunter2`, as `AUTH PLAIN` has them (RFC 4616).
const CREDENTIALS: &str = "AUTH PLAIN AHN0b2EAaHVudGVyMg==";

/// A mail as it came over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// Where it says it comes from: the path of `MAIL`, in its brackets.
    pub from: String,
    /// Whom it is for: the paths of `RCPT`, likewise.
    pub to: Vec<String>,
    /// Its headers and its body.
    pub text: String,
}

/// A mail server, which ends with the value.
#[derive(Debug)]
pub struct TestMailServer {
    /// How it is reached, with a password.
    pub url: String,
    kept: Arc<Mutex<Vec<Mail>>>,
    server: JoinHandle<()>,
}

impl TestMailServer {
    /// Starts a server that takes every mail.
    ///
    /// # Panics
    /// When it can't.
    pub async fn start() -> Self {
        Self::that(true).await
    }

    /// Starts a server that knows nobody, and says so with the address.
    ///
    /// # Panics
    /// When it can't.
    pub async fn that_knows_nobody() -> Self {
        Self::that(false).await
    }

    async fn that(takes: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("its address");
        let kept = Arc::default();
        let server = tokio::spawn(serve(listener, takes, Arc::clone(&kept)));
        Self { url: format!("smtp://stoa:hunter2@{address}"), kept, server }
    }

    /// The mails that came since this was asked last.
    pub async fn mails(&self) -> Vec<Mail> {
        std::mem::take(&mut *self.kept.lock().await)
    }
}

impl Drop for TestMailServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, takes: bool, kept: Arc<Mutex<Vec<Mail>>>) {
    while let Ok((socket, _)) = listener.accept().await {
        let kept = Arc::clone(&kept);
        tokio::spawn(async move {
            let _gone = converse(socket, takes, &kept).await;
        });
    }
}

/// One connection, to its end (RFC 5321).
async fn converse(socket: TcpStream, takes: bool, kept: &Mutex<Vec<Mail>>) -> std::io::Result<()> {
    let (heard, mut said) = socket.into_split();
    let mut lines = BufReader::new(heard).lines();
    let (mut is_known, mut from, mut to) = (false, String::new(), Vec::new());
    said.write_all(b"220 mail.example.org\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        let answer = match line.split_once(':').unwrap_or((&line, "")) {
            (CREDENTIALS, _) => {
                is_known = true;
                "235 welcome".to_owned()
            }
            ("QUIT", _) => "221 good bye".to_owned(),
            (hello, _) if hello.starts_with("EHLO ") => "250-mail.example.org\r\n250 AUTH PLAIN".to_owned(),
            _ if !is_known => "530 who are you".to_owned(),
            ("NOOP", _) => "250 still here".to_owned(),
            ("MAIL FROM", path) => {
                path.clone_into(&mut from);
                "250 you".to_owned()
            }
            ("RCPT TO", path) if takes => {
                to.push(path.to_owned());
                "250 they".to_owned()
            }
            ("RCPT TO", path) => format!("550 nobody is called {path}"),
            ("DATA", _) if !to.is_empty() => {
                said.write_all(b"354 go on\r\n").await?;
                let (from, to) = (std::mem::take(&mut from), std::mem::take(&mut to));
                kept.lock().await.push(Mail { from, to, text: data(&mut lines).await? });
                "250 taken".to_owned()
            }
            _ => "503 not now".to_owned(),
        };
        said.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}

/// The lines up to the one that is a dot, each as it was before its own dot was doubled.
async fn data(lines: &mut Lines<BufReader<OwnedReadHalf>>) -> std::io::Result<String> {
    let mut text = String::new();
    while let Some(line) = lines.next_line().await? {
        if line == "." {
            break;
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
        text.push_str("\r\n");
    }
    Ok(text)
}
