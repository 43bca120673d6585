//! `stoa worker`: the child in which documents are read. Nobody types it.

use std::process::ExitCode;

use clap::Args;

/// Arguments of `stoa worker`.
#[derive(Clone, Copy, Debug, Args)]
pub struct Worker {}

impl Worker {
    /// The name of the command.
    pub const NAME: &str = "worker";

    /// Answers on standard output what is asked on standard input, until that ends. It needs no configuration,
    /// no runtime and no house: it must be able to do nothing but read.
    #[must_use]
    pub fn run(self) -> ExitCode {
        stoa_documents::worker::run()
    }
}
