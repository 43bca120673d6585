//! The corpus: documents of packages, by the manifest that says which and what stands in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::Outcome;
use crate::place::binary;

/// Package, path in it, SHA-256, format, words.
const MANIFEST: &str = include_str!("../../corpus/manifest.tsv");

/// A document.
pub struct Document {
    /// In the folder.
    pub name: String,
    pub format: &'static str,
    /// In lower case; each stands in the document.
    pub words: Vec<String>,
}

/// All documents, side by side in a folder.
pub struct Corpus {
    pub folder: TempDir,
    pub documents: Vec<Document>,
    /// How many the manifest names whose package is no longer to be had.
    pub missing: usize,
}

impl Corpus {
    /// Fetches what is missing, and checks it.
    pub fn gather() -> Outcome<Self> {
        let (packages, folder) = (fetch()?, tempfile::tempdir()?);
        let mut documents = Vec::new();
        for (number, line) in MANIFEST.lines().enumerate() {
            documents.extend(take(number, line, &packages, folder.path())?);
        }
        let missing = MANIFEST.lines().count() - documents.len();
        Ok(Self { folder, documents, missing })
    }

    pub fn by_format(&self) -> BTreeMap<&'static str, Vec<&Document>> {
        let mut formats: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for document in &self.documents {
            formats.entry(document.format).or_default().push(document);
        }
        formats
    }
}

/// Where the packages are.
fn fetch() -> Outcome<PathBuf> {
    let target = binary("bench")?.ancestors().nth(2).ok_or("no target folder")?.to_owned();
    let folder = target.join("bench/corpus");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/fetch.sh");
    let status = Command::new(script).arg(&folder).status()?;
    if !status.success() {
        return Err(format!("corpus/fetch.sh: {status}").into());
    }
    Ok(folder)
}

/// The document of a line; `None` where its package is missing.
fn take(number: usize, line: &'static str, packages: &Path, folder: &Path) -> Outcome<Option<Document>> {
    let mut fields = line.split('\t');
    let (Some(package), Some(path), Some(_hash), Some(format), Some(words)) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(format!("the manifest's line {number}").into());
    };
    if !packages.join(package).is_dir() {
        return Ok(None);
    }
    let name = format!("{number:04}.{format}");
    let source = packages.join(package).join(path);
    std::fs::copy(&source, folder.join(&name)).map_err(|error| format!("{}: {error}", source.display()))?;
    Ok(Some(Document { name, format, words: words.split(' ').map(str::to_owned).collect() }))
}
