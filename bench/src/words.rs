//! Generated text. How often a word occurs goes by Zipf's law, as in what people write: the second word half as
//! often as the first, the hundredth a hundredth as often. The same number gives the same text.

/// Different words.
const VOCABULARY: f64 = 60_000.0;
const CONSONANTS: &[u8] = b"bcdfghjklmnprstvwxyz";
const VOWELS: &[u8] = b"aeiou";

/// Stands in every text.
pub const ALL: &str = "everywhere";
/// Two words, side by side in one text of [`PHRASE_IN`], and each of them alone in others.
pub const PHRASE: [&str; 2] = ["gentle", "harbor"];
/// Texts of which one holds the phrase.
const PHRASE_IN: u64 = 100;
/// Each stands in one text of [`RARE_IN`].
pub const RARE: [&str; 3] = ["rendezvous", "philosopher", "tombstone"];
/// Texts of which one holds some rare word.
const RARE_IN: u64 = 5_000;

/// The word of a rank, from 1 on: syllables that write the rank.
pub fn word(rank: u64) -> String {
    let syllables = (CONSONANTS.len() * VOWELS.len()) as u64;
    let (mut rest, mut word) = (rank, String::new());
    while rest > 0 || word.len() < 4 {
        let syllable = usize::try_from(rest % syllables).unwrap_or(0);
        word.push(char::from(CONSONANTS[syllable / VOWELS.len()]));
        word.push(char::from(VOWELS[syllable % VOWELS.len()]));
        rest /= syllables;
    }
    word
}

/// The text of a number, with so many words.
pub fn text(number: u64, words: u32) -> String {
    let mut chance = Chance(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
    let mut all: Vec<String> = (0..words).map(|_| word(rank(chance.next()))).collect();
    all.push(ALL.to_owned());
    all.push(PHRASE[usize::from(!number.is_multiple_of(2))].to_owned());
    if number.is_multiple_of(PHRASE_IN) {
        all.push(PHRASE.join(" "));
    }
    if number.is_multiple_of(RARE_IN) {
        let which = number / RARE_IN % RARE.len() as u64;
        all.push(RARE[usize::try_from(which).unwrap_or(0)].to_owned());
    }
    all.join(" ")
}

/// The rank for a chance between 0 and 1: the inverse of Zipf's distribution, whose sum to a rank grows as its
/// logarithm.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank is small and positive")]
fn rank(chance: f64) -> u64 {
    VOCABULARY.powf(chance) as u64
}

/// The generator `SplitMix64`.
struct Chance(u64);

impl Chance {
    /// Between 0 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let high = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or(0);
        f64::from(high) / (f64::from(u32::MAX) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_words_share_falls_as_its_rank_grows() {
        let texts: Vec<String> = (0..200).map(|number| text(number, 400)).collect();
        let share = |wanted: u64| {
            let wanted = word(wanted);
            texts.iter().flat_map(|text| text.split(' ')).filter(|word| **word == wanted).count()
        };
        let (first, tenth) = (share(1), share(10));
        assert!((5..20).contains(&(first / tenth)), "{first} and {tenth}");
        assert!(texts.iter().all(|text| text.contains(ALL)));
        assert_eq!(texts.iter().filter(|text| text.contains(&PHRASE.join(" "))).count(), 2);
    }

    #[test]
    fn each_rank_has_a_word_of_its_own() {
        let words: std::collections::HashSet<String> = (1..=60_000).map(word).collect();
        assert_eq!(words.len(), 60_000);
        assert_eq!(text(7, 20), text(7, 20));
    }
}
