//! How well a thing matches.

use super::Hit;
use crate::store::index::Posting;
use crate::store::index::posting::mark;

/// What each place counts, the best first.
const PLACES: [(u8, i64); 4] = [(mark::TITLE, 8), (mark::PATH, 4), (mark::CHIEF, 2), (mark::BODY, 1)];
/// How many steps of shortness there are.
const STEPS: i64 = 16;

/// A thing in which everything was found that was looked for so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scored {
    pub(super) seq: i64,
    /// What the best places of all words count together.
    places: i64,
    /// How short the longest of the units is in which they were found.
    shortness: i64,
}

impl Scored {
    /// Of a posting alone.
    pub(super) fn of(posting: &Posting) -> Self {
        let place = PLACES.iter().find(|(bit, _)| posting.mark & bit != 0).map_or(0, |(_, counts)| *counts);
        Self { seq: posting.seq, places: place, shortness: i64::from(posting.mark & mark::SHORTNESS) }
    }

    /// Of a thing in which nothing was looked for.
    pub(super) const fn nothing(seq: i64) -> Self {
        Self { seq, places: 0, shortness: 0 }
    }

    /// The better of two places of one word.
    fn or(self, other: Self) -> Self {
        if (other.places, other.shortness) > (self.places, self.shortness) { other } else { self }
    }

    /// Both words were found.
    const fn and(self, other: Self) -> Self {
        let shortness = if other.shortness < self.shortness { other.shortness } else { self.shortness };
        Self { seq: self.seq, places: self.places + other.places, shortness }
    }

    pub(super) const fn hit(self) -> Hit {
        Hit { seq: self.seq, rank: self.places * STEPS + self.shortness }
    }
}

/// The best place of one word in each thing, from postings by thing.
pub(super) fn best(postings: impl Iterator<Item = Posting>) -> Vec<Scored> {
    let mut best: Vec<Scored> = Vec::new();
    for posting in postings {
        let scored = Scored::of(&posting);
        match best.last_mut() {
            Some(last) if last.seq == scored.seq => *last = last.or(scored),
            _ => best.push(scored),
        }
    }
    best
}

/// The things in both lists, which are by seq.
pub(super) fn intersect(one: &[Scored], other: &[Scored]) -> Vec<Scored> {
    let mut others = other.iter().peekable();
    let both = one.iter().filter_map(|scored| {
        while others.next_if(|other| other.seq < scored.seq).is_some() {}
        others.next_if(|other| other.seq == scored.seq).map(|other| scored.and(*other))
    });
    both.collect()
}

/// Leaves those whose presence among the seqs, which are ascending, is as told.
pub(super) fn retain(found: &mut Vec<Scored>, seqs: &[i64], present: bool) {
    let mut seqs = seqs.iter().peekable();
    found.retain(|scored| {
        while seqs.next_if(|seq| **seq < scored.seq).is_some() {}
        (seqs.peek() == Some(&&scored.seq)) == present
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::index::Source;

    fn posting(seq: i64, mark: u8) -> Posting {
        Posting { seq, source: Source::content(0), mark }
    }

    #[test]
    fn the_best_place_counts_and_then_the_shorter_text() {
        let all =
            [posting(1, mark::BODY | 9), posting(1, mark::TITLE | mark::BODY | 3), posting(2, mark::PATH)];
        let best = best(all.into_iter());
        assert_eq!(best.iter().map(|scored| scored.hit().rank).collect::<Vec<_>>(), [8 * 16 + 3, 4 * 16]);
    }

    #[test]
    fn what_is_in_both_lists_counts_together() {
        let one = best([posting(1, mark::BODY | 5), posting(3, mark::BODY | 5)].into_iter());
        let other = best([posting(2, mark::BODY), posting(3, mark::TITLE | 4)].into_iter());
        let both = intersect(&one, &other);
        assert_eq!(
            both.iter().map(|scored| scored.hit()).collect::<Vec<_>>(),
            [Hit { seq: 3, rank: 9 * 16 + 4 }]
        );
    }

    #[test]
    fn things_are_kept_or_left_out_by_their_seqs() {
        let all: Vec<_> = [1, 3, 5].map(Scored::nothing).into();
        for (present, expected) in [(true, vec![3]), (false, vec![1, 5])] {
            let mut kept = all.clone();
            retain(&mut kept, &[2, 3, 4, 9], present);
            assert_eq!(kept.iter().map(|scored| scored.seq).collect::<Vec<_>>(), expected);
        }
    }
}
