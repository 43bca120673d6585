//! What a parent and its worker say to each other, over the worker's standard input and output.
//!
//! Both speak in frames, the parent first, and in turns. A frame is the length of its head (32 bits) and of
//! its body (64 bits), both little-endian, then the head as JSON, then the body as it is:
//!
//! | frame | head | body |
//! |---|---|---|
//! | [`Request`] | what the document's name says, how many parsers to pass over, a nonce | the document |
//! | [`Answer`] | the nonce, format, parser, title, unread parts, or what the problem was | the text |
//!
//! A worker ends where the input does. Neither side believes a length: more than is agreed on is refused, and
//! nothing is set aside for what has not come.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Document, Engine, Format, INPUT_BYTES, Problem, Reading, TEXT_BYTES};

/// The most bytes of a head.
const HEAD_BYTES: usize = 64 * 1024;

/// A document to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What its name says.
    pub hint: Option<Format>,
    /// How many of its format's parsers to pass over.
    pub skip: usize,
    /// Repeated by the answer: what a worker was made to say by an earlier document does not pass for one.
    pub nonce: u64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    nonce: u64,
    format: Option<Format>,
    engine: Option<Engine>,
    title: Option<String>,
    unread: Vec<String>,
    problem: Option<Problem>,
}

/// A head, and the most that may follow it.
pub(crate) trait Head: Serialize + DeserializeOwned {
    /// The most bytes of its body.
    const BODY_BYTES: usize;
}

impl Head for Request {
    const BODY_BYTES: usize = INPUT_BYTES;
}

impl Head for Answer {
    const BODY_BYTES: usize = TEXT_BYTES;
}

impl Answer {
    /// A reading's head and body, as the answer to the request of this nonce.
    pub(crate) fn of(nonce: u64, reading: Reading) -> (Self, String) {
        let Reading { format, engine, outcome } = reading;
        let (document, problem) = match outcome {
            Ok(document) => (document, None),
            Err(problem) => (Document::default(), Some(problem)),
        };
        let Document { title, text, unread } = document;
        (Self { nonce, format, engine, title, unread, problem }, text)
    }

    /// The reading, as far as what came can be believed.
    pub(crate) fn reading(self, asked: u64, body: Vec<u8>) -> io::Result<Reading> {
        if self.nonce != asked {
            return Err(io::Error::other("an answer to nothing that was asked"));
        }
        let Self { nonce: _, format, engine, title, unread, problem } = self;
        let text = String::from_utf8(body).map_err(io::Error::other)?;
        let outcome = match problem {
            None => Ok(Document { title, text, unread }.tidy()),
            // What is unavailable, only the parent can tell.
            Some(Problem::Failed(problem) | Problem::Unavailable(problem)) => Err(Problem::failed(&problem)),
            Some(Problem::Unsupported) => Err(Problem::Unsupported),
        };
        Ok(Reading { format, engine, outcome })
    }
}

/// The lengths that a frame begins with.
pub(crate) const LENGTHS: usize = 12;

/// The lengths and the head of a frame.
pub(crate) fn opening<H: Head>(head: &H, body: &[u8]) -> io::Result<Vec<u8>> {
    let head = serde_json::to_vec(head).map_err(io::Error::other)?;
    let head_bytes = u32::try_from(head.len()).map_err(io::Error::other)?;
    let mut opening = head_bytes.to_le_bytes().to_vec();
    opening.extend((body.len() as u64).to_le_bytes());
    opening.extend(head);
    Ok(opening)
}

/// How many bytes of head and body follow, if that is as agreed.
pub(crate) fn lengths<H: Head>(lengths: [u8; LENGTHS]) -> io::Result<(usize, usize)> {
    let [a, b, c, d, body @ ..] = lengths;
    let head = usize::try_from(u32::from_le_bytes([a, b, c, d])).map_err(io::Error::other)?;
    let body = usize::try_from(u64::from_le_bytes(body)).map_err(io::Error::other)?;
    if head > HEAD_BYTES || body > H::BODY_BYTES {
        return Err(io::Error::other(format!("a frame of {head} and {body} bytes")));
    }
    Ok((head, body))
}

/// Reads a head.
pub(crate) fn head<H: Head>(bytes: &[u8]) -> io::Result<H> {
    Ok(serde_json::from_slice(bytes)?)
}

/// Reads a frame; none where the input ends before it.
pub(crate) fn read_frame<H: Head>(input: &mut impl Read) -> io::Result<Option<(H, Vec<u8>)>> {
    let mut begun = [0; LENGTHS];
    if input.read(&mut begun[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut begun[1..])?;
    let (head_bytes, body_bytes) = lengths::<H>(begun)?;
    let read = head(&take(input, head_bytes)?)?;
    Ok(Some((read, take(input, body_bytes)?)))
}

fn take(input: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(count as u64).read_to_end(&mut bytes)?;
    if bytes.len() == count { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Writes a frame.
pub(crate) fn write_frame<H: Head>(output: &mut impl Write, head: &H, body: &[u8]) -> io::Result<()> {
    output.write_all(&opening(head, body)?)?;
    output.write_all(body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_were_written() {
        let request = Request { hint: Some(Format::Odt), skip: 1, nonce: u64::MAX };
        let mut frames = Vec::new();
        write_frame(&mut frames, &request, b"bytes").unwrap();
        write_frame(&mut frames, &request, b"").unwrap();
        let mut input = &frames[..];
        assert_eq!(read_frame(&mut input).unwrap(), Some((request, b"bytes".to_vec())));
        assert_eq!(read_frame(&mut input).unwrap(), Some((request, Vec::new())));
        assert_eq!(read_frame::<Request>(&mut input).unwrap(), None);
    }

    #[test]
    fn lengths_that_were_not_agreed_on_are_refused() {
        let long = [[0xFF; 4].as_slice(), &[0; 8]].concat();
        assert!(read_frame::<Request>(&mut &long[..]).is_err());
        let long = [[2, 0, 0, 0].as_slice(), &[0xFF; 8], b"{}"].concat();
        assert!(read_frame::<Answer>(&mut &long[..]).is_err());
        assert!(read_frame::<Request>(&mut &b"\x02\0\0"[..]).is_err());
        let short = [[2, 0, 0, 0].as_slice(), &[9, 0, 0, 0, 0, 0, 0, 0], b"{}x"].concat();
        assert!(read_frame::<Request>(&mut &short[..]).is_err());
    }

    #[test]
    fn a_reading_comes_through() {
        let document =
            Document { title: Some("T".into()), text: "words".into(), unread: vec!["page 2".into()] };
        let failed = Err(Problem::Failed("broken".to_owned()));
        for outcome in [Ok(document), failed, Err(Problem::Unsupported)] {
            let reading = Reading { format: Some(Format::Pdf), engine: Some(Engine::Unpdf), outcome };
            let (answer, text) = Answer::of(7, reading.clone());
            assert!(answer.clone().reading(8, Vec::new()).is_err());
            assert_eq!(answer.reading(7, text.into_bytes()).unwrap(), reading);
        }
    }
}
