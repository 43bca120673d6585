//! Reading documents: in children of this very program, so that parser and protocol always match.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use stoa_base::Ambient;
use stoa_documents::{Pool, Program};

use crate::commands::worker::Worker;

/// The program that runs: on Linux by the link that holds even when the file was replaced meanwhile.
const SELF: &str = "/proc/self/exe";

/// As many workers as there are cores, at most. None runs yet.
#[must_use]
pub fn pool(ambient: Ambient) -> Pool {
    let program = Program { path: path(), arguments: vec![Worker::NAME.to_owned()] };
    Pool::new(ambient, program, available_parallelism().map_or(1, NonZeroUsize::get))
}

fn path() -> PathBuf {
    if cfg!(target_os = "linux") {
        return PathBuf::from(SELF);
    }
    // Without a name of its own, starting the worker fails, and says so.
    std::env::current_exe().unwrap_or_default()
}
