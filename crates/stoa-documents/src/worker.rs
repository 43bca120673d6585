//! The child in which documents are read: one that can do nothing but compute, and can be killed.
//!
//! Its limits are the first thing it sets, before it has read a byte: [`MEMORY`] of address space, [`CPU`]
//! seconds a document, no file that could be opened or grow, no new privileges. It reads requests and writes
//! answers ([`crate::wire`]) until its input ends, which it also does when its parent is gone. (A signal at the
//! parent's death is not asked for: Linux ties it to the thread that started the child, and threads come and
//! go.) The wall clock is the parent's to watch.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::process::ExitCode;
use std::thread;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::stdio::{dup2_stdout, stderr, stdout};
use rustix::time::{ClockId, clock_gettime};

use crate::wire::{Answer, Request, read_frame, write_frame};
use crate::{Problem, Reading, read};

/// The address space of a worker, in bytes: 512 MiB.
pub const MEMORY: u64 = 512 * 1024 * 1024;
/// The seconds of CPU that a document may take.
pub const CPU: u64 = 10;
/// The documents that one worker reads before another takes its place.
pub const DOCUMENTS: u64 = 200;
/// The files a worker may have open: standard input, output and errors, and its own hold on the output.
const FILES: u64 = 4;
/// The stack that parsers recurse on, in bytes.
const STACK: usize = 64 * 1024 * 1024;

/// Is the worker, until the input ends.
#[must_use]
pub fn run() -> ExitCode {
    match confine().and_then(serve_aside) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Sets the limits, and takes the output away from whoever prints.
fn confine() -> io::Result<File> {
    let output = File::from(rustix::io::dup(stdout())?);
    dup2_stdout(stderr())?;
    limit(Resource::Core, 0)?;
    limit(Resource::Fsize, 0)?;
    limit(Resource::Nofile, FILES)?;
    // Elsewhere a program holds more than that before it has done anything.
    #[cfg(target_os = "linux")]
    limit(Resource::As, MEMORY)?;
    #[cfg(target_os = "linux")]
    rustix::thread::set_no_new_privs(true)?;
    allow_cpu()?;
    // What a parser says when it panics would be a stranger's words.
    std::panic::set_hook(Box::new(|_| {}));
    Ok(output)
}

fn limit(resource: Resource, most: u64) -> io::Result<()> {
    Ok(setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?)
}

/// Allows the next document its seconds. The hard limit is that of all documents together.
fn allow_cpu() -> io::Result<()> {
    let used = u64::try_from(clock_gettime(ClockId::ProcessCPUTime).tv_sec).unwrap_or_default();
    let hard = (CPU + 1) * DOCUMENTS;
    let soft = (used + 1 + CPU).min(hard);
    Ok(setrlimit(Resource::Cpu, Rlimit { current: Some(soft), maximum: Some(hard) })?)
}

fn serve_aside(output: File) -> io::Result<()> {
    let serving = thread::Builder::new().stack_size(STACK).spawn(move || serve(io::stdin(), output))?;
    serving.join().unwrap_or_else(|_panic| Err(io::Error::other("the worker panicked")))
}

/// Answers request after request.
fn serve(input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::new(input);
    while let Some((request, bytes)) = read_frame::<Request>(&mut input)? {
        allow_cpu()?;
        let (answer, text) = Answer::of(request.nonce, answer(request, &bytes));
        write_frame(&mut output, &answer, text.as_bytes())?;
    }
    Ok(())
}

/// Reads a document, and survives what goes wrong around its parsers, too.
fn answer(request: Request, bytes: &[u8]) -> Reading {
    let reading = std::panic::catch_unwind(|| read(bytes, request.hint, request.skip));
    reading.unwrap_or_else(|_panic| Reading {
        format: request.hint,
        engine: None,
        outcome: Err(Problem::failed("a parser panicked while it looked what this is")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    #[test]
    fn requests_are_answered_in_turn_until_the_input_ends() {
        let mut input = Vec::new();
        let request = Request { hint: Some(Format::Rtf), skip: 0, nonce: 1 };
        write_frame(&mut input, &request, br"{\rtf1 first}").unwrap();
        write_frame(&mut input, &Request { hint: None, skip: 0, nonce: 2 }, b"what?").unwrap();
        let mut output = Vec::new();
        serve(&input[..], &mut output).unwrap();
        let mut answers = &output[..];
        let mut next = |nonce| {
            let (answer, text) = read_frame::<Answer>(&mut answers).unwrap().unwrap();
            answer.reading(nonce, text).unwrap()
        };
        assert_eq!(next(1).outcome.unwrap().text, "first");
        assert_eq!(next(2).outcome, Err(Problem::Unsupported));
        assert_eq!(read_frame::<Answer>(&mut answers).unwrap(), None);
    }
}
