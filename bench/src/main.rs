//! `make bench`: the numbers that Stoa promises, each beside a peer, in one run and one table.
//!
//! The load comes from this process, on the last core; each server is a child on the first. Whatever is
//! measured with all cores (syncs, and their peers) is a child that may use all of them.

mod cores;
mod endpoint;
mod http;
mod load;
mod machine;
mod peers;
mod place;
mod quiet;
mod request;
mod search;
mod server;
mod start;
mod sync;
mod table;
mod tree;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use stoa_base::Ambient;

use cores::Cores;
use quiet::Quiet;
use table::Table;

/// What can go wrong ends the bench: it is told, not handled.
type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
enum Role {
    /// Measure everything and print the table
    Run(Options),
    /// Be the bare endpoint
    Bare { listen: SocketAddr },
    /// Walk a folder, read and hash every file
    Hash { folder: PathBuf },
    /// Walk a folder and look at every file's size and time
    List { folder: PathBuf },
}

/// How to measure.
#[derive(Args)]
struct Options {
    /// The folder to sync [default: the Rust toolchain's HTML, else a generated one]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Sync a generated folder of so many files instead
    #[arg(long, conflicts_with = "folder")]
    files: Option<usize>,
    /// Seconds of each sample of the endpoint
    #[arg(long, default_value_t = 2)]
    seconds: u64,
    /// Samples of each figure, of which the best counts
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Seconds to wait before each sample until other work has passed
    #[arg(long, default_value_t = 10)]
    patience: u64,
    /// Only these parts
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Endpoint,
    Catalogue,
    Start,
}

/// What every part measures with.
struct Bench {
    ambient: Ambient,
    cores: Cores,
    quiet: Quiet,
    options: Options,
}

impl Bench {
    fn wants(&self, part: Part) -> bool {
        self.options.only.is_empty() || self.options.only.contains(&part)
    }

    fn sample(&self) -> Duration {
        Duration::from_secs(self.options.seconds)
    }
}

fn main() -> ExitCode {
    match take(Cli::parse().role) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all bars hold, of those that this role has.
fn take(role: Role) -> Outcome<bool> {
    match role {
        Role::Run(options) => return run(options),
        Role::Bare { listen } => server_runtime()?.block_on(peers::bare::serve(listen))?,
        Role::Hash { folder } => println!("{}", peers::files::hash(&folder)?),
        Role::List { folder } => println!("{}", peers::files::list(&folder)?),
    }
    Ok(true)
}

/// The runtime that `stoa` itself has.
fn server_runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

fn run(options: Options) -> Outcome<bool> {
    let cores = Cores::of_process()?;
    cores.pin_load()?;
    let bench = Bench {
        ambient: Ambient::system(),
        cores,
        quiet: Quiet::new(Duration::from_secs(options.patience)),
        options,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let table = runtime.block_on(measure(&bench))?;
    println!("{}", machine::report(&bench)?);
    print!("{table}");
    Ok(table.holds())
}

async fn measure(bench: &Bench) -> Outcome<Table> {
    let mut table = Table::default();
    if bench.wants(Part::Endpoint) {
        table.add(endpoint::measure(bench).await?);
    }
    if bench.wants(Part::Catalogue) {
        let (rows, catalogues) = sync::measure(bench).await?;
        table.add(rows);
        table.add(search::measure(bench, &catalogues).await?);
    }
    if bench.wants(Part::Start) {
        table.add(start::measure(bench).await?);
    }
    Ok(table)
}
