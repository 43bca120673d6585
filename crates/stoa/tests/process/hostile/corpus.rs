//! The files: every format damaged and misnamed, what was made to do harm, strange names, and healthy files
//! among them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use stoa_base::{Random, SeededRandom};
use stoa_testing::seeds::{self, Seed};

use super::bombs;

/// The same files in every run.
const SEED: u64 = 0x5704;
/// How often each seed is flipped, and how many bits of it, in a thousandth of its bytes.
const FLIPS: &[usize] = &[1, 1, 2, 5, 10, 30, 100, 300];

/// What was written.
#[derive(Default)]
pub struct Corpus {
    /// How many files.
    pub files: usize,
    /// Keys of files that are whole, and a phrase in each.
    pub healthy: Vec<(String, String)>,
    /// Keys of files that no parser can read.
    pub must_fail: Vec<String>,
}

impl Corpus {
    /// Writes everything into a folder.
    pub fn write(folder: &Path) -> Self {
        let mut corpus = Self::default();
        let dice = Dice(SeededRandom::new(SEED));
        for seed in seeds::all() {
            corpus.healthy(folder, &format!("healthy/{}", seed.name), &seed);
            corpus.damaged(folder, &seed, &dice);
        }
        corpus.misnamed(folder);
        for bomb in bombs::all() {
            let key = format!("bombs/{}", bomb.name);
            corpus.file(folder, key.as_bytes(), &bomb.bytes);
            corpus.must_fail.extend(bomb.must_fail.then_some(key));
        }
        corpus.strange_names(folder);
        corpus
    }

    /// Contents must differ, so that each file is a thing of its own.
    fn file(&mut self, folder: &Path, key: &[u8], bytes: &[u8]) {
        let path = folder.join(OsStr::from_bytes(key));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self.files += 1;
    }

    fn healthy(&mut self, folder: &Path, key: &str, seed: &Seed) {
        self.file(folder, key.as_bytes(), &seed.bytes);
        self.healthy.push((key.to_owned(), seed.words[0].to_owned()));
    }

    fn damaged(&mut self, folder: &Path, seed: &Seed, dice: &Dice) {
        let whole = &seed.bytes;
        for (of, part) in [(8, 1), (4, 1), (2, 1), (10, 9)] {
            let cut = &whole[..whole.len() * part / of];
            self.file(folder, format!("cut/{part}-{of}/{}", seed.name).as_bytes(), cut);
        }
        for (index, thousandths) in FLIPS.iter().enumerate() {
            let mut flipped = whole.clone();
            for _ in 0..(whole.len() * thousandths / 1_000).max(1) {
                let (at, bit) = (dice.below(whole.len()), dice.below(8));
                flipped[at] ^= 1 << bit;
            }
            self.file(folder, format!("flipped/{index}/{}", seed.name).as_bytes(), &flipped);
        }
        let (from, to) = (dice.below(whole.len() / 2), whole.len() / 2 + dice.below(whole.len() / 2));
        let doubled = [&whole[..to], &whole[from..]].concat();
        self.file(folder, format!("doubled/{}", seed.name).as_bytes(), &doubled);
    }

    /// Every format under another's name: content wins.
    fn misnamed(&mut self, folder: &Path) {
        let all = seeds::all();
        let names = all.iter().cycle().skip(1).map(|seed| seed.name);
        // A mail is known by its name, or by its first lines.
        let telling = |seed: &&Seed| !seed.name.ends_with(".mbox");
        for (seed, other) in all.iter().zip(names).filter(|(seed, _)| telling(seed)) {
            let ending = other.rsplit('.').next().unwrap();
            let key = format!("misnamed/{}.{ending}", seed.name.replace('.', "-"));
            self.healthy(folder, &key, seed);
        }
    }

    fn strange_names(&mut self, folder: &Path) {
        let letter = |word: &str| format!(r"{{\rtf1 The word of this one is {word}.}}");
        for (index, name) in [
            "line\nbreak.rtf".as_bytes().to_vec(),
            "carriage\r\nreturn.rtf".as_bytes().to_vec(),
            "tab\there\u{7}.rtf".as_bytes().to_vec(),
            "\u{202E}fdp.ftr".as_bytes().to_vec(),
            "مرحبا بالعالم.rtf".as_bytes().to_vec(),
            [&[b'x'; 251], b".rtf".as_slice()].concat(),
            "é".repeat(125).into_bytes().into_iter().chain(*b".rtf").collect(),
            b"invalid\xFF\xFE\x80.rtf".to_vec(),
            b"\xC3(.rtf".to_vec(),
            b"-rf *.rtf".to_vec(),
            b"$(touch pwned);`id`.rtf".to_vec(),
            b"%s%n%00.rtf".to_vec(),
            b" .rtf".to_vec(),
            b"<script>alert(1)<\x01script>.rtf".to_vec(),
            "a\u{0301}\u{200D}👩‍🚀.rtf".as_bytes().to_vec(),
        ]
        .into_iter()
        .enumerate()
        {
            let key = [b"names/".as_slice(), &name].concat();
            self.file(folder, &key, letter(&format!("strange{index}")).as_bytes());
        }
    }
}

/// Chance that is always the same.
struct Dice(SeededRandom);

impl Dice {
    fn below(&self, limit: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % limit as u64).unwrap()
    }
}
