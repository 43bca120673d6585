//! On what was measured.

use std::process::Command;

use crate::{Bench, Outcome};

/// The heading of the table.
pub fn report(bench: &Bench) -> Outcome<String> {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease")?;
    let at = bench.site.ambient.now().to_string();
    let date = at.get(..10).unwrap_or(&at);
    Ok(format!(
        "# The last `make bench`\n\n\
         {date}, commit {}. {} cores, {}; Linux {}. {}; {}; Node {}; {}; {}.\n\n\
         Servers ran on the first core, the load on the last; syncs and their peers on all. Each figure of the \
         endpoint is the best of {} samples of {} s, taken in turn with the peer's; {}. Of the peers \
         there, which ask nobody for a token, `bare` is a hand-written axum endpoint that parses and echoes, rmcp \
         3.11.0, the TypeScript SDK 1.32.2 (which speaks 2025-11-25 only) and FastMCP 4.2.3 have one tool `echo`. \
         PostgreSQL ran with `fsync=off`, SQLite as always.\n",
        said("git", &["rev-parse", "--short", "HEAD"]),
        bench.site.cores.count(),
        field("/proc/cpuinfo", "model name")?,
        kernel.split(['-', '\n']).next().unwrap_or_default(),
        said("rustc", &["--version"]),
        said("psql", &["--version"]),
        said("node", &["--version"]),
        said("python3", &["--version"]),
        said("b3sum", &["--version"]),
        bench.options.rounds,
        bench.options.seconds,
        bench.quiet,
    ))
}

/// What a program printed; that it is not there is worth a word only.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok();
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| format!("no {program}"), |text| text.trim().to_owned())
}

fn field(file: &str, name: &str) -> Outcome<String> {
    let text = std::fs::read_to_string(file)?;
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    Ok(line.split_once(':').map_or("?", |(_, value)| value.trim()).to_owned())
}
