//! Files without a catalog: what listing them, and hashing each of them, costs by itself.

use std::path::Path;
use std::process::Stdio;

use crate::{Bench, Outcome};

/// `find` asks for each file's size and time, of which a sync has to know too.
const LIST: &str = r#"find "$1" -type f -printf '%s %T@\n' | wc -l"#;
/// Each core hashes one file at a time, as many as it likes before the next process.
const HASH: &str = r#"find "$1" -type f -print0 | xargs -0 -P "$2" -n 2000 b3sum --num-threads 1 | wc -l"#;

/// Work over a folder.
#[derive(Clone, Copy)]
pub enum Work {
    /// `find`, with size and time.
    List,
    /// `find` and `b3sum`.
    Hash,
}

/// Does it on all cores. The number of files.
pub async fn work(bench: &Bench, work: Work, folder: &Path) -> Outcome<u32> {
    let script = match work {
        Work::List => LIST,
        Work::Hash => HASH,
    };
    let mut command = bench.site.cores.all(Path::new("bash"));
    command.args(["-euo", "pipefail", "-c", script, "bash"]).arg(folder);
    let output = command.arg(bench.site.cores.count().to_string()).stderr(Stdio::inherit()).output().await?;
    if !output.status.success() {
        return Err(format!("{script}: {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
