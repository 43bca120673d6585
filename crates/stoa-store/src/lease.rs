//! One node at a time: a named lease that lapses by itself.

use std::time::Duration;

use sqlx::{query, query_scalar};
use stoa_base::{Ambient, Timestamp};

use crate::{Database, StoreError, on, queries};

queries! {
    /// Takes the lease if it is free, lapsed, or ours already.
    HOLD = "INSERT INTO lease (name, owner, until) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET owner = EXCLUDED.owner, until = EXCLUDED.until
        WHERE lease.until <= $4 OR lease.owner = EXCLUDED.owner
        RETURNING until";
    /// Gives it back early.
    RELEASE = "DELETE FROM lease WHERE name = $1 AND owner = $2";
}

/// A name that one node at a time may hold.
#[derive(Clone, Debug)]
pub struct Lease {
    name: String,
    owner: String,
    length: Duration,
}

impl Lease {
    /// The lease `name`, to be held by `owner` (a node) for `length` at a time.
    pub fn new(name: impl Into<String>, owner: impl Into<String>, length: Duration) -> Self {
        Self { name: name.into(), owner: owner.into(), length }
    }

    /// Takes or renews the lease. `None` while another node holds it; else until when it is ours.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database could not be asked.
    pub async fn hold(&self, db: &Database, ambient: &Ambient) -> Result<Option<Timestamp>, StoreError> {
        let now = ambient.now();
        let until = now.plus(self.length);
        let mut tx = db.begin().await?;
        let held: Option<i64> = on!(tx tx, c => query_scalar(HOLD)
            .bind(&self.name)
            .bind(&self.owner)
            .bind(until.as_micros())
            .bind(now.as_micros())
            .fetch_optional(c)
            .await)?;
        tx.commit().await?;
        Ok(held.map(Timestamp::from_micros))
    }

    /// Gives the lease back, so that another node need not wait until it lapses.
    ///
    /// # Errors
    /// [`StoreError::Database`] when the database could not be told.
    pub async fn release(&self, db: &Database) -> Result<(), StoreError> {
        let mut tx = db.begin().await?;
        on!(tx tx, c => query(RELEASE).bind(&self.name).bind(&self.owner).execute(c).await.map(|_| ()))?;
        tx.commit().await
    }
}
