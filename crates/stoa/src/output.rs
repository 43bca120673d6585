//! What a command prints: plain text for people, JSON for programs.

use std::fmt::{self, Display};
use std::io::{ErrorKind, IsTerminal, Write};

use serde::Serialize;
use stoa_base::text::one_line;

use crate::failure::Failure;

/// Characters that one cell of a table may have.
const CELL: usize = 100;

/// Standard output, in the form that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Whether `--json` was given.
    pub json: bool,
}

impl Output {
    /// Prints `value`: its fields as JSON, or as it displays itself.
    ///
    /// # Errors
    /// [`Failure::Output`] when standard output can't be written to.
    pub fn print(self, value: &(impl Serialize + Display)) -> Result<(), Failure> {
        if self.json { line(&json(value)?) } else { line(value.to_string().trim_end_matches('\n')) }
    }

    /// Whether a person looks on, for whom a moving bar is more than noise.
    #[must_use]
    pub fn moves(self) -> bool {
        !self.json && std::io::stderr().is_terminal()
    }
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::Output(error.into()))
}

/// One line on standard output. A reader that went away (`| head`) is no failure.
fn line(text: &str) -> Result<(), Failure> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Rows under a heading, aligned. Cells may hold text from outside: it is made harmless to a terminal.
///
/// # Errors
/// What the formatter said.
pub fn columns<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    heads: [&str; N],
    rows: &[[String; N]],
) -> fmt::Result {
    let rows: Vec<[String; N]> = std::iter::once(heads.map(str::to_owned))
        .chain(rows.iter().map(|row| row.clone().map(|cell| one_line(&cell, CELL))))
        .collect();
    let widths: [usize; N] =
        std::array::from_fn(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0));
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Table;

    impl Display for Table {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let rows = [["docs".into(), "a\u{1b}[2J\nb".into()], ["photographs".into(), "c".into()]];
            columns(f, ["NAME", "TITLE"], &rows)
        }
    }

    #[test]
    fn columns_align_and_hold_no_control_characters() {
        let text = Table.to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "NAME         TITLE");
        assert!(lines[2].starts_with("photographs  c"));
        assert!(!text.contains('\u{1b}'));
    }
}
