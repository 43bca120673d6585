//! All things of a range that match.

use std::collections::HashSet;

use super::score::{Scored, best, intersect, retain};
use super::{Hit, Range, Search};
use crate::model::{Atom, ResourceId, Selector};
use crate::store::index::posting::{BODY, Placements, mark};
use crate::store::index::read::{LookError, Span, Term};
use crate::store::index::{Posting, Source, facet};
use crate::store::thing;

/// So few things are looked up by themselves.
const FEW: usize = 200;
/// So many things that are gone are not asked for.
const MANY_GONE: i64 = 2_000;

/// Which units count.
struct Counting {
    /// Those that are no more do not.
    dead: HashSet<(i64, Source)>,
    /// Where the reach is limited, of references only these.
    reachable: Option<HashSet<(i64, Source)>>,
}

impl Counting {
    /// Those postings that count.
    fn of(&self, mut postings: Vec<Posting>) -> Vec<Posting> {
        postings.retain(|posting| {
            let unit = (posting.seq, posting.source);
            let reachable = !posting.source.is_reference()
                || self.reachable.as_ref().is_none_or(|reachable| reachable.contains(&unit));
            reachable && !self.dead.contains(&unit)
        });
        postings
    }
}

impl Search<'_> {
    /// All matches in a range, in no order.
    ///
    /// # Errors
    /// [`LookError::TooMuch`] where the range has to be looked at in parts.
    pub(super) async fn look(&self, range: Range) -> Result<Vec<Hit>, LookError> {
        let atoms = rarest_first(&self.query.required);
        let (mut within, mut first) = (Span::whole(range), None);
        if let Some(atom) = atoms.first() {
            let found = self.atom(atom, &within).await?;
            let Some(span) = around(found.iter().map(|posting| posting.seq)) else { return Ok(Vec::new()) };
            (within, first) = (span, Some(found));
        }
        // What is dead and what is within reach is asked of what was found only.
        let counting = self.counting(&within).await?;
        let mut found = first.map(|first| best(counting.of(first).into_iter()));
        for atom in atoms.iter().skip(1) {
            let before = found.unwrap_or_default();
            let Some(span) = around(seqs_of(&before)) else { return Ok(Vec::new()) };
            let places = best(counting.of(self.atom(atom, &span).await?).into_iter());
            found = Some(intersect(&before, &places));
        }
        if let Some(found) = &found {
            let Some(span) = around(seqs_of(found)) else { return Ok(Vec::new()) };
            within = span;
        }
        let mut found = match found {
            Some(found) => self.choose(found, &within, &counting).await?,
            None => self.chosen(&within, &counting).await?.into_iter().map(Scored::nothing).collect(),
        };
        for atom in &self.query.excluded {
            let Some(span) = around(seqs_of(&found)) else { break };
            let without = counting.of(self.atom(atom, &span).await?);
            retain(&mut found, &seqs(&without), false);
        }
        Ok(found.into_iter().map(Scored::hit).collect())
    }

    /// Which units of a span count.
    async fn counting(&self, span: &Span) -> Result<Counting, LookError> {
        let mut counting = Counting { dead: self.reader.dead(span).await?, reachable: None };
        if let Some(limits) = self.question.reach.limits() {
            let units = self.references(&limits, span, &counting).await?;
            counting.reachable = Some(units.iter().map(|posting| (posting.seq, posting.source)).collect());
        }
        Ok(counting)
    }

    /// Those of the found that the rest of the selector means and that have a reference within reach.
    async fn choose(
        &self,
        mut found: Vec<Scored>,
        within: &Span,
        counting: &Counting,
    ) -> Result<Vec<Scored>, LookError> {
        if self.means_all() {
            // All have a reference but those that are gone: as a rule a few, and cheaper to be told.
            let ends = (within.range.low, within.range.high);
            let gone = thing::gone_in(self.db, self.question.workspace, ends, MANY_GONE).await?;
            if i64::try_from(gone.len()).is_ok_and(|gone| gone < MANY_GONE) {
                retain(&mut found, &gone, false);
                return Ok(found);
            }
        }
        retain(&mut found, &self.chosen(within, counting).await?, true);
        Ok(found)
    }

    /// Whether the selector, apart from its query, and the reach mean all that is there.
    fn means_all(&self) -> bool {
        let Selector { kind, resource_id, folder, .. } = self.question.selector;
        kind.is_none() && resource_id.is_none() && folder.is_none() && self.question.reach.limits().is_none()
    }

    /// The things that the rest of the selector means and that have a reference within reach.
    async fn chosen(&self, span: &Span, counting: &Counting) -> Result<Vec<i64>, LookError> {
        let selector = self.question.selector;
        let folder = selector.folder.as_ref().map(|folder| facet::folder(folder.as_str()));
        let resources = selector.resource_id.map(|id| vec![id]).or_else(|| self.question.reach.limits());
        let mut references = match (&resources, &folder) {
            (Some(resources), _) => self.references(resources, span, counting).await?,
            (None, Some(folder)) => self.counted(Term::Word(folder), span, counting).await?,
            (None, None) => self.counted(Term::Beginning(facet::ANYWHERE), span, counting).await?,
        };
        if let (Some(_), Some(folder)) = (&resources, &folder) {
            let inside = self.counted(Term::Word(folder), span, counting).await?;
            let inside: HashSet<_> = inside.iter().map(|posting| (posting.seq, posting.source)).collect();
            references.retain(|posting| inside.contains(&(posting.seq, posting.source)));
        }
        let mut chosen = seqs(&references);
        if let Some(kind) = selector.kind {
            let of_kind = seqs(&self.counted(Term::Word(&facet::kind(kind)), span, counting).await?);
            chosen.retain(|seq| of_kind.binary_search(seq).is_ok());
        }
        Ok(chosen)
    }

    /// The references in any of these resources.
    async fn references(
        &self,
        resources: &[ResourceId],
        span: &Span,
        counting: &Counting,
    ) -> Result<Vec<Posting>, LookError> {
        let mut all = Vec::new();
        for id in resources {
            all.extend(self.counted(Term::Word(&facet::resource(*id)), span, counting).await?);
        }
        all.sort();
        Ok(all)
    }

    async fn counted(
        &self,
        term: Term<'_>,
        span: &Span,
        counting: &Counting,
    ) -> Result<Vec<Posting>, LookError> {
        Ok(counting.of(self.reader.units(term, span).await?))
    }

    /// The units in which an atom is found, whether they count or not.
    async fn atom(&self, atom: &Atom, span: &Span) -> Result<Vec<Posting>, LookError> {
        let Some((last, before)) = atom.tokens.split_last() else { return Ok(Vec::new()) };
        let last = if atom.prefix { Term::Beginning(last) } else { Term::Word(last) };
        let mut words = before.iter().map(|word| Term::Word(word)).chain([last]);
        let Some(first) = words.next() else { return Ok(Vec::new()) };
        if before.is_empty() {
            return self.reader.units(first, span).await;
        }
        let mut phrase = self.reader.positions(first, span, None).await?;
        for word in words {
            let Some(span) = around(phrase.postings().map(|posting| posting.seq)) else { break };
            phrase = followed(&phrase, &self.reader.positions(word, &span, Some(&phrase)).await?);
        }
        let words = atom.tokens.len();
        Ok(phrase.iter().map(|(posting, positions)| placed_in(posting, positions, words)).collect())
    }
}

/// The units of `before` in which a word of `next` follows, with the positions of that.
fn followed(before: &Placements, next: &Placements) -> Placements {
    let mut followed = Placements::default();
    let mut rest = next.iter().peekable();
    for (posting, positions) in before.iter() {
        let unit = (posting.seq, posting.source);
        while rest.next_if(|(other, _)| (other.seq, other.source) < unit).is_some() {}
        let mut after = Vec::new();
        // As often as a beginning means several words there.
        while let Some((_, others)) = rest.next_if(|(other, _)| (other.seq, other.source) == unit) {
            let follows = |position: &&u32| positions.binary_search(&position.wrapping_sub(1)).is_ok();
            after.extend(others.iter().filter(follows));
        }
        if !after.is_empty() {
            after.sort_unstable();
            after.dedup();
            followed.push(posting, after);
        }
    }
    followed
}

/// A phrase's posting, marked with where the phrase itself stands; the positions are of its last word.
fn placed_in(posting: Posting, positions: &[u32], words: usize) -> Posting {
    let first = positions.first().copied().unwrap_or(0);
    let later = if posting.source.is_reference() { mark::PATH } else { mark::BODY };
    let place = if first >= BODY + u32::try_from(words).unwrap_or(0) - 1 { later } else { mark::TITLE };
    Posting { mark: posting.mark & mark::SHORTNESS | place, ..posting }
}

/// The things of postings, which are by thing, each once.
fn seqs(postings: &[Posting]) -> Vec<i64> {
    let mut seqs: Vec<i64> = postings.iter().map(|posting| posting.seq).collect();
    seqs.dedup();
    seqs
}

/// Where the next look has to look, by what the ones before have found, ascending: the rest needs none. `None`
/// where nothing is left.
fn around(found: impl Iterator<Item = i64>) -> Option<Span> {
    let mut seqs: Vec<i64> = found.collect();
    seqs.dedup();
    let range = Range { low: *seqs.first()?, high: seqs.last()? + 1 };
    let few = seqs.len() <= FEW;
    Some(Span { range, only: few.then_some(seqs) })
}

fn seqs_of(found: &[Scored]) -> impl Iterator<Item = i64> {
    found.iter().map(|scored| scored.seq)
}

/// Longer words and phrases are rarer as a rule: looking them up first leaves the others less to do.
fn rarest_first(atoms: &[Atom]) -> Vec<&Atom> {
    let mut atoms: Vec<&Atom> = atoms.iter().collect();
    atoms.sort_by_key(|atom| std::cmp::Reverse(atom.tokens.iter().map(String::len).sum::<usize>()));
    atoms
}
