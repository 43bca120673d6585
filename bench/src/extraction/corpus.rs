//! The corpus: documents of packages, by the manifest that says which and what stands in them.

use std::collections::BTreeMap;
use std::path::Path;

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
}

impl Corpus {
    /// From where scripts/prepare-bench.sh put the packages, and checked them.
    pub fn gather() -> Outcome<Self> {
        let target = binary("bench")?.ancestors().nth(2).ok_or("no target folder")?.to_owned();
        let (packages, folder) = (target.join("bench/corpus"), tempfile::tempdir()?);
        let lines = MANIFEST.lines().enumerate();
        let documents = lines.map(|(number, line)| take(number, line, &packages, folder.path()));
        let documents = documents.collect::<Outcome<_>>()?;
        Ok(Self { folder, documents })
    }

    pub fn by_format(&self) -> BTreeMap<&'static str, Vec<&Document>> {
        let mut formats: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for document in &self.documents {
            formats.entry(document.format).or_default().push(document);
        }
        formats
    }
}

fn take(number: usize, line: &'static str, packages: &Path, folder: &Path) -> Outcome<Document> {
    let mut fields = line.split('\t');
    let (Some(package), Some(path), Some(_hash), Some(format), Some(words)) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(format!("the manifest's line {number}").into());
    };
    let name = format!("{number:04}.{format}");
    let source = packages.join(package).join(path);
    std::fs::copy(&source, folder.join(&name)).map_err(|error| format!("{}: {error}", source.display()))?;
    Ok(Document { name, format, words: words.split(' ').map(str::to_owned).collect() })
}
