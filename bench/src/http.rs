//! HTTP/1.1 (RFC 9112) as cheap as a client can be, so that the load costs its core less than a server's.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// One connection, kept alive.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// An answer.
pub struct Reply<'a> {
    pub status: u16,
    pub body: &'a str,
}

impl Connection {
    pub async fn open(port: u16) -> std::io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(16 * 1024) })
    }

    /// Sends a whole request and reads the whole answer, whose length its head must say.
    pub async fn exchange(&mut self, request: &[u8]) -> std::io::Result<Reply<'_>> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        while !is_whole(&self.buffer) {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        let text = std::str::from_utf8(&self.buffer).map_err(std::io::Error::other)?;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.get(9..12).and_then(|digits| digits.parse().ok()).unwrap_or(0);
        Ok(Reply { status, body })
    }
}

fn is_whole(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = std::str::from_utf8(&bytes[..end]).unwrap_or_default();
    let length = head.split("\r\n").find_map(value_of_length);
    length.and_then(|digits| digits.parse().ok()).is_some_and(|length: usize| bytes.len() >= end + 4 + length)
}

/// A header's name has no case (RFC 9110 section 5.1), and Node writes it with capitals.
fn value_of_length(line: &str) -> Option<&str> {
    let (name, value) = line.split_once(": ")?;
    name.eq_ignore_ascii_case("content-length").then_some(value)
}
