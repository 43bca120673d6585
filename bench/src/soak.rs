//! `make soak`: two nodes on one PostgreSQL, mixed calls and changing files for minutes, one node or the other
//! ended again and again. What must hold is checked as it goes and at the end.

mod acts;
mod callers;
mod comparison;
mod folder;
mod growth;
mod nodes;
mod witness;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;

use clap::Args;
use stoa_base::Timestamp;

use crate::place::Place;
use crate::{Outcome, Site};
use acts::{Act, Expect, Known};
use folder::Folder;
use growth::Sample;
use nodes::Node;
use witness::Witness;

/// How to soak.
#[derive(Args)]
pub struct Options {
    /// How long calls are made
    #[arg(long, default_value_t = 10)]
    minutes: u32,
    /// Files that the folder begins with
    #[arg(long, default_value_t = 300)]
    files: u32,
}

/// The share of the time after which the second node is left alone and what it uses must no longer grow.
const WARM_UP: f64 = 0.25;
/// How long a node has nothing to do before it is looked at: idle threads and connections go within it.
const REST: Duration = Duration::from_secs(15);

/// What all that goes on shares.
struct Soak<'a> {
    site: &'a Site,
    nodes: [Node<'a>; 2],
    folder: Folder,
    known: Known,
    witness: Witness,
    /// Whether callers and files rest.
    paused: Cell<bool>,
    /// When calls end.
    until: Timestamp,
}

/// Whether everything held. What did not is printed.
pub async fn run(site: &Site, options: &Options) -> Outcome<bool> {
    let lasting = Duration::from_mins(options.minutes.into());
    let first = Place::postgres(site).await?;
    let second = first.beside()?;
    let folder = Folder::with(site, options.files)?;
    let known = Known::prepare(&first, folder.path()).await?;
    let soak = Soak {
        site,
        nodes: [Node::start(&first).await?, Node::start(&second).await?],
        folder,
        known,
        witness: Witness::default(),
        paused: Cell::new(false),
        until: site.ambient.now().plus(lasting),
    };
    let (early, late) = soak.go_on(lasting).await?;
    let mut verdicts = soak.witness.verdicts();
    verdicts.extend(growth::verdicts(&early, &late));
    verdicts.extend(comparison::verdicts(&soak, &first).await?);
    for node in soak.nodes {
        node.stop().await?;
    }
    verdicts.extend(witness::audit_verdicts(&first, &soak.witness).await?);
    for (holds, verdict) in &verdicts {
        println!("{} {verdict}", if *holds { "holds:" } else { "FAILS:" });
    }
    Ok(verdicts.iter().all(|(holds, _)| *holds))
}

/// Whether something holds, and what.
type Verdict = (bool, String);

impl Soak<'_> {
    /// Everything at once until the time is over: what the second node used after the warm-up, and at the end.
    async fn go_on(&self, lasting: Duration) -> Outcome<(Sample, Sample)> {
        let (early, (), (), ()) = tokio::try_join!(
            self.watch(lasting),
            nodes::end_again_and_again(self, self.site.ambient.now().plus(lasting.mul_f64(WARM_UP))),
            callers::call_all(self),
            folder::change(self),
        )?;
        tokio::time::sleep(REST).await;
        Ok((early, self.sample().await?))
    }

    /// Says how it goes, and looks at the second node after the warm-up.
    async fn watch(&self, lasting: Duration) -> Outcome<Sample> {
        tokio::time::sleep(lasting.mul_f64(WARM_UP)).await;
        self.paused.set(true);
        tokio::time::sleep(REST).await;
        let sample = self.sample().await?;
        self.paused.set(false);
        while !self.is_over() {
            eprintln!("soak: {}", self.witness);
            tokio::time::sleep(REST).await;
        }
        Ok(sample)
    }

    async fn sample(&self) -> Outcome<Sample> {
        let server = self.nodes[1].pid().ok_or("the second node is not there")?;
        Sample::of(server, self.nodes[1].place).await
    }

    fn is_over(&self) -> bool {
        self.site.ambient.now() >= self.until
    }

    /// Waits so long, and on while everything rests.
    async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
        while self.paused.get() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// A number below `end`.
    fn chance(&self, end: usize) -> usize {
        usize::from(u16::from_be_bytes(self.site.ambient.bytes())) % end
    }
}

/// Counts, by what was counted.
type Counts = BTreeMap<&'static str, u64>;
