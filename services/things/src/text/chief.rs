//! Chief words: what a text is about, in a column of their own, so that rank can tell a text about a
//! word from a text that mentions it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::tokens::{each_token, each_token_at, is_paired_character};
use super::units::TEXT_TOKENS;

/// The most chief words of a text.
pub const CHIEF_WORDS: usize = 24;

/// How often a word must be said to be chief.
const LEAST_COUNT: usize = 3;

/// How often a word of the title counts as said by that alone.
const TITLE_COUNT: usize = 3;

/// The shortest chief word, in characters; pairs of Chinese, Japanese and Korean are shorter and count.
const LEAST_CHARS: usize = 3;

/// Folded words of English and Spanish that say nothing about a text.
const STOP_WORDS: &str = "\
    about after all also and another any are because been before being between both but can could did \
    does down each even for from had has have her here him his how into its just like may might more \
    most much must not now off one only other our out over own said same shall she should some such than \
    that the their them then there these they this those through too under until use used very was way \
    well were what when where which while who whom why will with would you your \
    como con cual cuando del desde donde dos ella ellas ellos era eran esa esas ese eso esos esta estaba \
    estan estas este esto estos fue fueron han hasta hay las les los mas mientras muy nada nos nosotros \
    otra otro para pero poco por porque que quien ser sea segun sido sin sobre son sus tal tambien tan \
    tanto tiene tienen toda todas todo todos tras una unas uno unos usted";

/// The words that say most about a text, the chief one first: those said most often, the title's
/// counted extra; of a long text, only as many as are indexed count. Depends on title and text only; words
/// equally often said stand in alphabetical order.
#[must_use]
pub fn chief_words(title: &str, text: &str) -> Vec<String> {
    let mut counts = HashMap::new();
    each_token(title, |token| count(&mut counts, token, TITLE_COUNT));
    let mut left = TEXT_TOKENS;
    let _ = each_token_at(text, |_, token| {
        count(&mut counts, token, 1);
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let mut words: Vec<_> = counts.into_iter().filter(|(word, n)| *n >= LEAST_COUNT && says(word)).collect();
    words.sort_unstable_by(|(word, n), (other, m)| m.cmp(n).then_with(|| word.cmp(other)));
    words.into_iter().take(CHIEF_WORDS).map(|(word, _)| word).collect()
}

fn count(counts: &mut HashMap<String, usize>, token: &str, by: usize) {
    match counts.get_mut(token) {
        Some(count) => *count += by,
        None => {
            counts.insert(token.to_owned(), by);
        }
    }
}

/// Whether a word says something about its text.
fn says(word: &str) -> bool {
    let chars = word.chars().count();
    let long = chars >= LEAST_CHARS || (chars == 2 && word.chars().all(is_paired_character));
    long && !STOP_WORDS.split(' ').any(|stop| stop == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_words_are_chief_and_stop_words_are_not() {
        let text = "The lease and the tenant. The lease, the tenant, la casa para los que. The lease: a tenant, a lease.";
        assert_eq!(chief_words("", text), ["lease", "tenant"]);
    }

    #[test]
    fn words_of_the_title_are_chief_at_once() {
        assert_eq!(chief_words("Die Mietverträge", "x x x x x"), ["die", "mietvertrage"]);
        assert_eq!(chief_words("Rent", "lease lease lease lease rent rent"), ["rent", "lease"]);
    }

    #[test]
    fn pairs_are_chief_and_single_characters_are_not() {
        assert_eq!(chief_words("", "東京。東京。東京。東。東。東。"), ["東京"]);
    }

    #[test]
    fn there_are_never_more_than_the_limit() {
        let text: Vec<_> = (100..200).map(|n| format!("w{n} w{n} w{n}")).collect();
        let words = chief_words("", &text.join(" "));
        assert_eq!(words.len(), CHIEF_WORDS);
        assert_eq!(words[0], "w100");
    }
}
