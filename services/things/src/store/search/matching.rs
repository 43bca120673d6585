//! All things of a range that match.

use std::collections::HashSet;

use stoa_store::StoreError;

use super::score::{Scored, best, intersect, retain};
use super::{Hit, Range, Search};
use crate::model::{Atom, ResourceId, Selector};
use crate::store::index::posting::{BODY, Placed, mark};
use crate::store::index::read::{Span, Term};
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
    fn counts(&self, posting: &Posting) -> bool {
        let unit = (posting.seq, posting.source);
        let reachable = !posting.source.is_reference()
            || self.reachable.as_ref().is_none_or(|reachable| reachable.contains(&unit));
        reachable && !self.dead.contains(&unit)
    }
}

impl Search<'_> {
    /// All matches in a range, in no order.
    pub(super) async fn matches(&self, range: Range) -> Result<Vec<Hit>, StoreError> {
        let mut found = None;
        let whole = Span::whole(range);
        let mut counting = Counting { dead: self.reader.dead(&whole).await?, reachable: None };
        if let Some(limits) = self.question.reach.limits() {
            let units = self.references(&limits, &whole, &counting).await?;
            counting.reachable = Some(units.iter().map(|posting| (posting.seq, posting.source)).collect());
        }
        for atom in rarest_first(&self.query.required) {
            let Some(span) = span(found.as_deref(), range) else { return Ok(Vec::new()) };
            let places = best(self.atom(atom, &span, &counting).await?.into_iter());
            found = Some(found.map_or_else(|| places.clone(), |before: Vec<_>| intersect(&before, &places)));
        }
        let Some(within) = span(found.as_deref(), range) else { return Ok(Vec::new()) };
        let mut found = match found {
            Some(found) => self.choose(found, &within, &counting).await?,
            None => self.chosen(&within, &counting).await?.into_iter().map(Scored::nothing).collect(),
        };
        for atom in &self.query.excluded {
            let Some(span) = span(Some(&found), range) else { break };
            let without = self.atom(atom, &span, &counting).await?;
            retain(&mut found, &seqs(&without), false);
        }
        Ok(found.into_iter().map(Scored::hit).collect())
    }

    /// Those of the found that the rest of the selector means and that have a reference within reach.
    async fn choose(
        &self,
        mut found: Vec<Scored>,
        within: &Span,
        counting: &Counting,
    ) -> Result<Vec<Scored>, StoreError> {
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
    async fn chosen(&self, span: &Span, counting: &Counting) -> Result<Vec<i64>, StoreError> {
        let selector = self.question.selector;
        let resources = selector.resource_id.map(|id| vec![id]);
        let mut references = match resources.or_else(|| self.question.reach.limits()) {
            Some(resources) => self.references(&resources, span, counting).await?,
            None => self.counted(Term::Beginning(facet::ANYWHERE), span, counting).await?,
        };
        if let Some(folder) = &selector.folder {
            let inside = self.counted(Term::Word(&facet::folder(folder.as_str())), span, counting).await?;
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
    ) -> Result<Vec<Posting>, StoreError> {
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
    ) -> Result<Vec<Posting>, StoreError> {
        let mut units = self.reader.units(term, span).await?;
        units.retain(|posting| counting.counts(posting));
        Ok(units)
    }

    /// The units in which an atom is found.
    async fn atom(&self, atom: &Atom, span: &Span, counting: &Counting) -> Result<Vec<Posting>, StoreError> {
        let Some((last, before)) = atom.tokens.split_last() else { return Ok(Vec::new()) };
        let last = if atom.prefix { Term::Beginning(last) } else { Term::Word(last) };
        if before.is_empty() {
            return self.counted(last, span, counting).await;
        }
        let mut phrase: Option<Vec<Placed>> = None;
        for term in before.iter().map(|word| Term::Word(word)).chain([last]) {
            let next = self.reader.positions(term, span).await?;
            let so_far = phrase.map_or_else(|| next.clone(), |before| followed(&before, &next));
            if so_far.is_empty() {
                return Ok(Vec::new());
            }
            phrase = Some(so_far);
        }
        let found = phrase.into_iter().flatten().map(|placed| placed_in(&placed, atom.tokens.len()));
        Ok(found.filter(|posting| counting.counts(posting)).collect())
    }
}

/// The units of `before` in which a word of `next` follows, with the positions of that.
fn followed(before: &[Placed], next: &[Placed]) -> Vec<Placed> {
    let key = |placed: &Placed| (placed.posting.seq, placed.posting.source);
    let mut rest = next;
    let both = before.iter().filter_map(|placed| {
        let skipped = rest.partition_point(|other| key(other) < key(placed));
        rest = &rest[skipped..];
        let same = rest.iter().take_while(|other| key(other) == key(placed));
        let mut positions: Vec<u32> = same
            .flat_map(|other| &other.positions)
            .filter(|position| placed.positions.binary_search(&position.wrapping_sub(1)).is_ok())
            .copied()
            .collect();
        positions.sort_unstable();
        positions.dedup();
        (!positions.is_empty()).then_some(Placed { posting: placed.posting, positions })
    });
    both.collect()
}

/// A phrase's posting, marked with where the phrase itself stands; the positions are of its last word.
fn placed_in(placed: &Placed, words: usize) -> Posting {
    let posting = placed.posting;
    let first = placed.positions.first().copied().unwrap_or(0);
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

/// Where the next look has to look: what the ones before did not find needs none. `None` where nothing is
/// left.
fn span(found: Option<&[Scored]>, range: Range) -> Option<Span> {
    let Some(found) = found else { return Some(Span::whole(range)) };
    let range = Range { low: found.first()?.seq, high: found.last()?.seq + 1 };
    let few = found.len() <= FEW;
    Some(Span { range, only: few.then(|| found.iter().map(|scored| scored.seq).collect()) })
}

/// Longer words and phrases are rarer as a rule: looking them up first leaves the others less to do.
fn rarest_first(atoms: &[Atom]) -> Vec<&Atom> {
    let mut atoms: Vec<&Atom> = atoms.iter().collect();
    atoms.sort_by_key(|atom| std::cmp::Reverse(atom.tokens.iter().map(String::len).sum::<usize>()));
    atoms
}
