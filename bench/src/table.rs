//! The one table.

use std::fmt;
use std::time::Duration;

/// One figure, beside its peer's.
pub struct Row {
    what: String,
    ours: String,
    peer: String,
    ratio: String,
    bar: String,
    holds: Option<bool>,
    note: String,
}

impl Row {
    pub fn new(what: impl Into<String>, ours: impl Into<String>) -> Self {
        let none = || "-".to_owned();
        Self {
            what: what.into(),
            ours: ours.into(),
            peer: none(),
            ratio: none(),
            bar: none(),
            holds: None,
            note: String::new(),
        }
    }

    pub fn ours(self, ours: impl Into<String>) -> Self {
        Self { ours: ours.into(), ..self }
    }

    /// The peer's figure, and ours as a multiple of it.
    pub fn peer(self, peer: impl Into<String>, ratio: f64) -> Self {
        Self { peer: peer.into(), ratio: format!("{ratio:.2}"), ..self }
    }

    /// What was promised, and whether it is kept.
    pub fn bar(self, bar: impl Into<String>, holds: bool) -> Self {
        Self { bar: bar.into(), holds: Some(holds), ..self }
    }

    /// What is wished for, without a promise.
    pub fn aim(self, aim: impl Into<String>) -> Self {
        Self { bar: aim.into(), ..self }
    }

    /// Only told of: the promise is about another row.
    pub fn without_bar(self) -> Self {
        Self { bar: "-".to_owned(), holds: None, ..self }
    }

    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}

/// All rows.
#[derive(Default)]
pub struct Table(Vec<Row>);

impl Table {
    /// Adds a row, and tells of it while the rest is measured.
    pub fn add(&mut self, row: Row) {
        eprintln!("{row}");
        self.0.push(row);
    }

    /// Whether no bar is missed.
    pub fn holds(&self) -> bool {
        self.0.iter().all(|row| row.holds != Some(false))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holds = match self.holds {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "-",
        };
        let Self { what, ours, peer, ratio, bar, note, .. } = self;
        write!(f, "| {what} | {ours} | {peer} | {ratio} | {bar} | {holds} | {note} |")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| measured | Stoa | peer | ratio | bar | holds | note |\n|---|---|---|---|---|---|---|"
        )?;
        self.0.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

/// A count for people: 12,345.
pub fn count(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().flat_map(std::str::from_utf8).collect();
    groups.join(",")
}

pub fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_missed_bar_is_enough() {
        let mut table = Table::default();
        table.add(Row::new("a", "1"));
        table.add(Row::new("b", "2").bar("> 1", true));
        assert!(table.holds());
        table.add(Row::new("c", "0").peer("5", 0.2).bar("> 1", false));
        assert!(!table.holds());
        assert!(table.to_string().ends_with("| c | 0 | 5 | 0.20 | > 1 | **no** |  |\n"));
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!((count(7.4), count(1_234_567.0)), ("7".to_owned(), "1,234,567".to_owned()));
    }
}
