//! What was seen, and whether the audit says the same.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};

use serde_json::Value;

use super::acts::FAILED;
use super::{Act, Counts, Expect, Verdict};
use crate::Outcome;
use crate::place::Place;

/// Faults that are told of.
const TOLD: usize = 10;

#[derive(Default)]
pub struct Witness {
    asked: RefCell<Counts>,
    /// Acknowledged writes, by tool.
    written: RefCell<Counts>,
    /// Acknowledged refusals.
    denied: Cell<u64>,
    killed: Cell<u32>,
    stopped: Cell<u32>,
    faults: RefCell<Vec<String>>,
}

impl Witness {
    pub fn asked(&self, name: &'static str) {
        *self.asked.borrow_mut().entry(name).or_default() += 1;
    }

    pub fn answered(&self, act: &Act, body: &str) {
        match act.expect {
            // A gone object is found out before anything is written.
            Expect::Written if !body.contains(FAILED) => {
                *self.written.borrow_mut().entry(act.name).or_default() += 1;
            }
            Expect::Denied("Tool not found") => self.denied.set(self.denied.get() + 1),
            _ => {}
        }
    }

    pub fn ended(&self, gently: bool) {
        let count = if gently { &self.stopped } else { &self.killed };
        count.set(count.get() + 1);
    }

    pub fn fault(&self, fault: String) {
        eprintln!("soak: {fault}");
        self.faults.borrow_mut().push(fault);
    }

    pub fn verdicts(&self) -> Vec<Verdict> {
        let faults = self.faults.borrow();
        let mut verdicts = vec![(faults.is_empty(), format!("every answer is as it must be; {self}"))];
        verdicts.extend(faults.iter().take(TOLD).map(|fault| (false, fault.clone())));
        verdicts
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (calls, faults) = (self.asked.borrow().values().sum::<u64>(), self.faults.borrow().len());
        let (killed, stopped) = (self.killed.get(), self.stopped.get());
        write!(f, "{calls} calls, {faults} faults; {killed} kills and {stopped} stops")
    }
}

/// The audit is intact, and holds every write and refusal that was acknowledged.
pub async fn audit_verdicts(place: &Place<'_>, witness: &Witness) -> Outcome<Vec<Verdict>> {
    let verified = place.json(&["audit", "verify"]).await;
    let intact = matches!(&verified, Ok(report) if report["intact"] == true);
    let told = verified.map_or_else(|error| error.to_string(), |report| links(&report));
    let entries = entries(place).await?;
    let mut verdicts = vec![(intact, format!("audit verify: {told}"))];
    for (tool, acknowledged) in witness.written.borrow().iter() {
        let noted = entries.get(&((*tool).to_owned(), "ok".to_owned())).copied().unwrap_or(0);
        verdicts.push((
            noted >= *acknowledged,
            format!("{tool}: {acknowledged} acknowledged, {noted} in the audit"),
        ));
    }
    let denied: u64 =
        entries.iter().filter(|((_, status), _)| status == "denied").map(|(_, count)| count).sum();
    let acknowledged = witness.denied.get();
    verdicts.push((denied >= acknowledged, format!("{acknowledged} refused, {denied} denied in the audit")));
    Ok(verdicts)
}

fn links(report: &Value) -> String {
    let chains = report["workspaces"].as_array().map(Vec::as_slice).unwrap_or_default();
    let entries: u64 = chains.iter().filter_map(|chain| chain["entries"].as_u64()).sum();
    format!("{entries} linked entries")
}

/// Entries of calls, by tool and status.
async fn entries(place: &Place<'_>) -> Outcome<BTreeMap<(String, String), u64>> {
    let file = place.data.path().join("audit");
    place.stoa(&["audit", "export", "--out", &file.to_string_lossy()]).await?;
    let mut entries = BTreeMap::new();
    for line in BufReader::new(File::open(file)?).lines() {
        let entry: Value = serde_json::from_str(&line?)?;
        if entry["channel"] == "mcp" {
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            *entries.entry((text("tool"), text("status"))).or_default() += 1;
        }
    }
    Ok(entries)
}
