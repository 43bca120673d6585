//! `make bench`: the numbers that Stoa promises, each beside a peer, in one run and one table.
//!
//! The load comes from this process, on the last core; each server is a child on the first. Whatever is
//! measured with all cores (syncs, and their peers) is a child that may use all of them.

mod cores;
mod endpoint;
mod extraction;
mod fill;
mod http;
mod load;
mod machine;
mod peers;
mod place;
mod quiet;
mod reader;
mod request;
mod search;
mod server;
mod soak;
mod start;
mod sync;
mod table;
mod tenants;
mod tree;
mod words;

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
    /// Let two nodes work for minutes while they are killed
    Soak(soak::Options),
    /// Be the bare endpoint
    Bare { listen: SocketAddr },
    /// Put so many generated things into a catalog
    Fill { things: u32 },
    /// Make so many tenants
    Tenants { tenants: u32 },
}

/// How to measure.
#[derive(Args)]
struct Options {
    /// The folder to sync [default: a generated one]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Files of the generated folder
    #[arg(long, default_value_t = 100_000)]
    files: u32,
    /// Generated things that are searched
    #[arg(long, default_value_t = 1_000_000)]
    things: u32,
    /// Tenants of whom each makes a call
    #[arg(long, default_value_t = 10_000)]
    tenants: u32,
    /// Seconds of each sample of the endpoint
    #[arg(long, default_value_t = 2)]
    seconds: u64,
    /// Samples of each figure, of which the best counts
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Seconds to wait before each sample until other work has passed
    #[arg(long, default_value_t = 3)]
    patience: u64,
    /// Only these parts
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Endpoint,
    Catalog,
    Extraction,
    Search,
    Start,
    Tenants,
}

/// Where all of it happens.
struct Site {
    ambient: Ambient,
    cores: Cores,
}

/// What every part measures with.
struct Bench {
    site: Site,
    quiet: Quiet,
    options: Options,
}

impl Site {
    fn here() -> Outcome<Self> {
        Ok(Self { ambient: Ambient::system(), cores: Cores::of_process()? })
    }
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
        Role::Soak(options) => return runtime()?.block_on(soak::run(&Site::here()?, &options)),
        Role::Bare { listen } => server_runtime()?.block_on(peers::bare::serve(listen))?,
        Role::Fill { things } => server_runtime()?.block_on(fill::fill(things))?,
        Role::Tenants { tenants } => server_runtime()?.block_on(tenants::make(tenants))?,
    }
    Ok(true)
}

/// The runtime that `stoa` itself has.
fn server_runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

/// The runtime that the load comes from.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

fn run(options: Options) -> Outcome<bool> {
    let site = Site::here()?;
    site.cores.pin_load()?;
    let bench = Bench { site, quiet: Quiet::new(Duration::from_secs(options.patience)), options };
    let table = runtime()?.block_on(measure(&bench))?;
    println!("{}", machine::report(&bench)?);
    print!("{table}");
    Ok(table.holds())
}

async fn measure(bench: &Bench) -> Outcome<Table> {
    let mut table = Table::default();
    if bench.wants(Part::Start) {
        start::measure(bench, &mut table).await?;
    }
    if bench.wants(Part::Endpoint) {
        endpoint::measure(bench, &mut table).await?;
    }
    if bench.wants(Part::Tenants) {
        tenants::measure(bench, &mut table).await?;
    }
    if bench.wants(Part::Extraction) {
        extraction::measure(bench, &mut table).await?;
    }
    if bench.wants(Part::Catalog) {
        sync::measure(bench, &mut table).await?;
    }
    if bench.wants(Part::Search) {
        search::measure(bench, &mut table).await?;
    }
    Ok(table)
}
