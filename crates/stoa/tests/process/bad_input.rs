//! Bad input, kind by kind, against the real server on either database: each kind has its clear answer, and
//! afterwards the server is what it was.

mod bodies;
mod connections;
mod heads;

use crate::raw::{Answered, exchange, honest_head};
use crate::support::{Place, Server};

/// A server under fire, with a token that it knows.
pub struct Target {
    pub place: Place,
    pub server: Server,
    pub token: String,
}

impl Target {
    pub async fn on(place: Place) -> Self {
        let token = place.owner_token().await;
        Self { server: place.serve().await, place, token }
    }

    /// One on each database.
    pub async fn both() -> [Self; 2] {
        let [sqlite, postgres] = Place::both().await;
        [Self::on(sqlite).await, Self::on(postgres).await]
    }

    /// Sends a body under an honest head.
    pub async fn body(&self, body: impl AsRef<[u8]>) -> Answered {
        let body = body.as_ref();
        let head = honest_head(self.server.port, &self.token, body.len());
        exchange(self.server.port, &[head.as_bytes(), body].concat()).await
    }

    /// Ends the server, which must still be well: it answers, it says nothing of a fault of its own, and its
    /// audit is whole.
    pub async fn ends_unharmed(self) {
        assert_eq!(self.server.client(&self.token).status().await, 200);
        assert!(self.server.stop().await.success());
        let log = self.place.log();
        for word in ["ERROR", "panicked", "incident"] {
            assert!(!log.contains(word), "{log}");
        }
        assert_eq!(self.place.json(&["audit", "verify"]).await["intact"], true);
    }
}
