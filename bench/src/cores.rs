//! Which core does what, as taskset(1) says it.

use std::path::Path;

use tokio::process::Command;

use crate::Outcome;

/// The cores that this process was given, by number.
pub struct Cores(Vec<usize>);

impl Cores {
    /// `Cpus_allowed_list` of `proc_pid_status(5)`: numbers and ranges of them.
    pub fn of_process() -> Outcome<Self> {
        let status = std::fs::read_to_string("/proc/self/status")?;
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        Self::listed(list.ok_or("no list of cores")?.trim())
    }

    fn listed(list: &str) -> Outcome<Self> {
        let mut cores = Vec::new();
        for part in list.split(',') {
            let (low, high) = part.split_once('-').unwrap_or((part, part));
            cores.extend(low.parse::<usize>()?..=high.parse()?);
        }
        Ok(Self(cores))
    }

    /// Keeps this process, from which the load comes, on the last core.
    pub fn pin_load(&self) -> Outcome<()> {
        let (core, own) = (name(self.0.last()), std::process::id().to_string());
        let pinned = std::process::Command::new("taskset").args(["-p", "-c", &core, &own]).output()?;
        if pinned.status.success() { Ok(()) } else { Err("taskset can't pin the load".into()) }
    }

    /// A command on the first core: a server under load.
    pub fn server(&self, program: &Path) -> Command {
        on(&name(self.0.first()), program)
    }

    /// A command on all cores.
    pub fn all(&self, program: &Path) -> Command {
        on(&self.0.iter().map(usize::to_string).collect::<Vec<_>>().join(","), program)
    }

    pub const fn count(&self) -> usize {
        self.0.len()
    }
}

fn name(core: Option<&usize>) -> String {
    core.map(usize::to_string).unwrap_or_default()
}

fn on(cores: &str, program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", cores]).arg(program);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_numbers_and_ranges() {
        assert_eq!(Cores::listed("0-2,5").unwrap().0, [0, 1, 2, 5]);
        assert!(Cores::listed("").is_err());
    }
}
