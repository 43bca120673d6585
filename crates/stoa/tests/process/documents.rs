//! The pool and its workers, which are the real binary.

use std::fs;
use std::path::PathBuf;

use stoa_base::Ambient;
use stoa_documents::{Documents, Format, Pool, Problem, Program};
use stoa_testing::seeds::{self, packed};

use crate::support::{Place, until};

/// A pool of its own folder's link to the binary, by which its workers are told from those of other tests.
struct Workers {
    pool: Pool,
    program: PathBuf,
    _folder: tempfile::TempDir,
}

impl Workers {
    fn new(most: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("stoa");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_stoa"), &program).unwrap();
        let command = Program { path: program.clone(), arguments: vec!["worker".to_owned()] };
        let pool = Pool::new(Ambient::system(), command, most);
        Self { pool, program, _folder: folder }
    }

    /// The processes of its workers.
    fn alive(&self) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let ours = processes.filter(|process| {
            let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
            command.starts_with(self.program.as_os_str().as_encoded_bytes())
        });
        ours.map(|process| process.file_name().into_string().unwrap()).collect()
    }

    async fn text(&self, bytes: &[u8], hint: Option<Format>) -> String {
        self.pool.read(bytes.to_vec(), hint).await.outcome.unwrap().text
    }

    async fn problem(&self, bytes: Vec<u8>, hint: Option<Format>) -> String {
        match self.pool.read(bytes, hint).await.outcome {
            Err(Problem::Failed(problem)) => problem,
            outcome => panic!("{outcome:?}"),
        }
    }
}

/// A pool of another program.
fn elsewhere(path: &str, argument: &str) -> Pool {
    let program = Program { path: PathBuf::from(path), arguments: vec![argument.to_owned()] };
    Pool::new(Ambient::system(), program, 1)
}

/// Kills a process of ours, as the system does that has no memory left.
fn kill(process: &str) {
    let killed = std::process::Command::new("kill").args(["-KILL", process]).status().unwrap();
    assert!(killed.success());
}

/// What keeps a worker busy for many seconds: gigabytes that are passed through.
fn endless() -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("zeros").unwrap();
    header.set_size(1 << 40);
    header.set_cksum();
    let zeros = packed::bzip2(&vec![0; 16 * 1024 * 1024]);
    [packed::bzip2(header.as_bytes()), zeros.repeat(1_000)].concat()
}

#[tokio::test]
async fn one_worker_reads_document_after_document() {
    let workers = Workers::new(1);
    for seed in seeds::all() {
        let text = workers.text(&seed.bytes, Format::of_mime(seed.mime)).await;
        assert!(text.contains(seed.words[0]), "{}: {text}", seed.name);
    }
    assert_eq!(workers.alive().len(), 1);
    assert_eq!(workers.pool.idle(), 1);
}

#[tokio::test]
async fn as_many_work_at_once_as_may() {
    let workers = Workers::new(2);
    let letter = br"{\rtf1 Hello}";
    let all = (0..20).map(|_| workers.text(letter, None));
    assert_eq!(futures::future::join_all(all).await, vec!["Hello"; 20]);
    assert!(workers.alive().len() <= 2);
}

#[tokio::test]
async fn a_reading_that_is_dropped_takes_its_worker_along() {
    let workers = Workers::new(1);
    let pool = workers.pool.clone();
    let reading = tokio::spawn(async move { pool.read(endless(), None).await });
    until("a worker is busy", || async { (!workers.alive().is_empty()).then_some(()) }).await;
    reading.abort();
    until("it is gone", || async { workers.alive().is_empty().then_some(()) }).await;
    assert_eq!(workers.text(br"{\rtf1 Hello}", None).await, "Hello", "and others are read");
}

#[tokio::test]
async fn the_last_clone_of_a_pool_ends_its_workers() {
    let mut workers = Workers::new(1);
    workers.text(br"{\rtf1 Hello}", None).await;
    assert_eq!(workers.alive().len(), 1);
    workers.pool = elsewhere("/nowhere", "");
    until("it is gone", || async { workers.alive().is_empty().then_some(()) }).await;
}

#[tokio::test]
async fn a_worker_that_can_not_be_started_or_is_none_is_not_the_documents_fault() {
    let reason = async |pool: Pool| match pool.read(b"x".to_vec(), None).await.outcome {
        Err(Problem::Unavailable(reason)) => reason,
        outcome => panic!("{outcome:?}"),
    };
    let none = reason(elsewhere("/nowhere/stoa", "")).await;
    assert!(none.starts_with("the worker can't be started: "), "{none}");
    let other = reason(elsewhere("/bin/echo", "a long enough line to be taken for lengths")).await;
    assert!(other.starts_with("the worker ended: "), "{other}");
}

#[tokio::test]
async fn a_worker_that_is_killed_is_not_the_documents_fault_and_another_takes_its_place() {
    let workers = Workers::new(1);
    let pool = workers.pool.clone();
    let reading = tokio::spawn(async move { pool.read(endless(), None).await });
    let busy = until("a worker is busy", || async { workers.alive().pop() }).await;
    kill(&busy);
    let outcome = reading.await.unwrap().outcome;
    assert!(matches!(&outcome, Err(Problem::Unavailable(_))), "{outcome:?}");
    assert_eq!(workers.text(br"{\rtf1 Hello}", None).await, "Hello");
    kill(&workers.alive().pop().unwrap());
    assert_eq!(workers.text(br"{\rtf1 Hello}", None).await, "Hello", "one that waited was killed");
}

#[tokio::test]
async fn what_is_too_large_is_a_failure_that_says_so() {
    let large = vec![0; stoa_documents::INPUT_BYTES + 1];
    let problem = Workers::new(1).problem(large, None).await;
    assert_eq!(problem, "67108865 bytes; documents are read up to 67108864");
}

#[tokio::test]
async fn the_doctor_tells_whether_the_worker_runs() {
    let report = Place::sqlite().json(&["doctor"]).await;
    let worker = report["parts"].as_array().unwrap().iter().find(|part| part["part"] == "worker").unwrap();
    assert_eq!(worker["state"], "ok");
    assert_eq!(worker["found"], "reads, in at most 512.00 MiB and 10 s of CPU a document");
}
