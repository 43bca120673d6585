//! Watching the workers of a server, as the kernel sees them.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The flag of a file that whatever is started does not get (`O_CLOEXEC`).
const CLOSED_ON_EXEC: u32 = 0o2_000_000;

/// A worker, as it was last seen alive.
#[derive(Clone, Debug)]
pub struct Worker {
    /// Each limit's name and its hard value.
    pub limits: BTreeMap<String, String>,
    /// The most memory it ever held, in bytes.
    pub peak: u64,
    /// The numbers of its open files.
    pub files: Vec<u32>,
    /// Whether it gave up new privileges: `1`.
    pub no_new_privileges: Option<String>,
}

/// A look at the children of a process, again and again.
pub struct Watch {
    stop: oneshot::Sender<()>,
    watching: JoinHandle<BTreeMap<u32, Worker>>,
}

impl Watch {
    /// Watches whatever the process starts.
    pub fn of_children(parent: u32) -> Self {
        let (stop, mut stopped) = oneshot::channel();
        let watching = tokio::spawn(async move {
            let mut seen = BTreeMap::new();
            while stopped.try_recv().is_err() {
                for child in children(parent) {
                    // One that has just been started has not set its limits yet.
                    if let Some(worker) = look(child).filter(|worker| worker.limits["Max open files"] == "4")
                    {
                        seen.insert(child, worker);
                    }
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            seen
        });
        Self { stop, watching }
    }

    /// Every worker that was seen.
    pub async fn end(self) -> Vec<Worker> {
        let _ended = self.stop.send(());
        self.watching.await.unwrap().into_values().collect()
    }
}

/// Files that this process holds without having opened them, and hands on to whatever it starts.
pub fn left_open() -> Vec<u32> {
    let listed = fs::read_dir("/proc/self/fdinfo").unwrap().flatten();
    let handed_on = listed.filter(|file| {
        let info = fs::read_to_string(file.path()).unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap_or_default().trim();
        u32::from_str_radix(flags, 8).is_ok_and(|flags| flags & CLOSED_ON_EXEC == 0)
    });
    handed_on.filter_map(|file| file.file_name().to_str()?.parse().ok()).collect()
}

fn children(parent: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    let listed = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    listed
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// What there is to see; none of a process that ended meanwhile.
fn look(process: u32) -> Option<Worker> {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).ok()?;
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let files = fs::read_dir(format!("/proc/{process}/fd")).ok()?.flatten();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next().map(str::to_owned)
    };
    Some(Worker {
        limits: limits.lines().skip(1).filter_map(limit).collect(),
        peak: field("VmHWM:")?.parse::<u64>().ok()? * 1024,
        files: files.filter_map(|file| file.file_name().to_str()?.parse().ok()).collect(),
        no_new_privileges: field("NoNewPrivs:"),
    })
}

/// The name of a limit, in a column of 26, and its hard value, the second after that.
fn limit(line: &str) -> Option<(String, String)> {
    let (name, values) = line.split_at_checked(26)?;
    Some((name.trim().to_owned(), values.split_whitespace().nth(1)?.to_owned()))
}
