//! ZIP and tar archives, and what compresses them.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::Seed;

/// What is in each of the archives.
const ENTRIES: &[&str] = &["cargo/amber.txt", "cargo/deep/salt.csv", "crew list.md"];

pub(super) fn all() -> Vec<Seed> {
    let parts: Vec<_> = ENTRIES.iter().map(|name| (*name, "nothing of this is read")).collect();
    let seed = |name, mime, bytes| Seed { name, mime, bytes, title: None, words: ENTRIES };
    vec![
        seed("cargo.zip", "application/zip", zip(&parts)),
        seed("cargo.tar", "application/x-tar", tar()),
        seed("cargo.tar.gz", "application/gzip", gzip(&tar())),
        seed("cargo.tar.bz2", "application/x-bzip2", bzip2(&tar())),
        seed("cargo.tar.zst", "application/zstd", zstd(&tar())),
        // Made by `tar` and `xz` of the three names above: no encoder of the format is at hand.
        seed("cargo.tar.xz", "application/x-xz", include_bytes!("../../seeds/cargo.tar.xz").to_vec()),
    ]
}

/// A ZIP archive. The first part is stored as it is, since some formats ask for that, the rest is deflated.
///
/// # Panics
/// Never: memory takes whatever is written.
#[must_use]
pub fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (index, (name, text)) in parts.iter().enumerate() {
        let method = if index == 0 { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method);
        archive.start_file(*name, options).expect("memory");
        archive.write_all(text.as_bytes()).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

fn tar() -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for name in ENTRIES {
        let mut header = tar::Header::new_ustar();
        header.set_size(5);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(&mut header, name, &b"bytes"[..]).expect("memory");
    }
    archive.into_inner().expect("memory")
}

/// Compresses by gzip.
///
/// # Panics
/// Never: memory takes whatever is written.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

/// Compresses by bzip2.
///
/// # Panics
/// Never: memory takes whatever is written.
#[must_use]
pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    packed.write_all(bytes).expect("memory");
    packed.finish().expect("memory")
}

/// Compresses by Zstandard.
#[must_use]
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}
