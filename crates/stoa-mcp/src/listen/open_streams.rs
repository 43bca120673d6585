//! How many streams are open: bounded for each installation, as each holds a connection and asks after its token.

use std::sync::Arc;

use dashmap::DashMap;
use stoa_base::InstallationId;

/// How many streams one installation may have open on one node.
pub(crate) const MOST: u32 = 16;

/// The open streams of this node. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenStreams(Arc<DashMap<InstallationId, u32>>);

/// A place among them, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    streams: OpenStreams,
    installation: InstallationId,
}

impl OpenStreams {
    /// A place for one more stream of this installation; `None` where it has [`MOST`].
    pub fn enter(&self, installation: InstallationId) -> Option<Place> {
        let mut open = self.0.entry(installation).or_insert(0);
        if *open >= MOST {
            return None;
        }
        *open += 1;
        Some(Place { streams: self.clone(), installation })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(mut open) = self.streams.0.get_mut(&self.installation) {
            *open -= 1;
        }
        self.streams.0.remove_if(&self.installation, |_, open| *open == 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_has_so_many_and_gives_them_back() {
        let (ambient, _clock) = stoa_testing::manual_time();
        let (one, other) = (InstallationId::new(&ambient), InstallationId::new(&ambient));
        let streams = OpenStreams::default();
        let places: Vec<_> = (0..MOST).map(|_| streams.enter(one).unwrap()).collect();
        assert!(streams.enter(one).is_none() && streams.enter(other).is_some());
        drop(places);
        assert!(streams.0.is_empty());
    }
}
