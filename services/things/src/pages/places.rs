//! What of this service a grant can be kept to: resources.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use stoa_identity::Caller;
use stoa_store::StoreError;
use stoa_web::{Place, Places};

use crate::operations::list_resources::list_resources;
use crate::operations::{Things, ThingsError};

/// The resources of a workspace.
#[derive(Debug)]
pub(super) struct Resources(pub(super) Things);

impl Places for Resources {
    fn of(&self, caller: Arc<Caller>) -> BoxFuture<'_, Result<Vec<Place>, StoreError>> {
        async move {
            match list_resources(&self.0, &caller).await {
                Ok(all) => {
                    Ok(all.into_iter().map(|one| Place { id: one.id.uuid(), name: one.name }).collect())
                }
                Err(ThingsError::Store(error)) => Err(error),
                // Who may see none is shown none.
                Err(_) => Ok(Vec::new()),
            }
        }
        .boxed()
    }
}
