//! `stoa`: where people and their coding agents meet over MCP. One binary: the server and its commands.

use std::process::ExitCode;

use clap::Parser;
use rustix::fs::Mode;
use stoa::{cli, commands};

use cli::{Cli, Command};

/// Gives memory back once a crowd has gone: with glibc's, a server that ten thousand clients had asked once kept
/// most of what that took.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    // Whatever is written is its owner's alone: the database holds hashes and texts.
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let cli = match Cli::try_parse() {
        // A worker is to have no threads but its own.
        Ok(Cli { command: Command::Worker(worker), .. }) => return worker.run(),
        Ok(cli) => cli,
        Err(usage) => return refuse(&usage),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error),
    };
    let outcome = runtime.block_on(commands::run(cli));
    // Whatever still runs by now was given its time: a second signal must not wait for it.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => fail(&failure),
    }
}

/// A usage error (exit code 2), or the help that was asked for (0).
fn refuse(usage: &clap::Error) -> ExitCode {
    // Nobody can be told where the terminal is gone.
    let _unseen = usage.print();
    u8::try_from(usage.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

fn fail(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("stoa: {error}");
    ExitCode::FAILURE
}
