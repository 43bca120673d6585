//! A person who is signed in, as a caller of operations.

use std::sync::Arc;

use stoa_base::InstallationId;
use stoa_store::StoreError;
use stoa_store::audit::Credential;

use crate::{Caller, Door, MountId, Reach, Scopes, SignedIn, store};

/// The scope of deciding who belongs to a workspace. No client can be granted it.
pub const MANAGE_MEMBERS: &str = "workspace:members";
/// The scope of seeing what everybody does in a workspace. No client can be granted it.
pub const SEE_ACTIVITY: &str = "workspace:activity";
/// The scope of deciding which places a workspace has. No client can be granted it.
pub const MANAGE_RESOURCES: &str = "workspace:resources";
/// The scope of deciding about a workspace as a whole. No client can be granted it.
pub const MANAGE_WORKSPACE: &str = "workspace:manage";
/// What a person may ask for on the house's own pages, on top of what services allow.
pub const HOUSE_SCOPES: &[&str] = &[MANAGE_MEMBERS, MANAGE_RESOURCES, MANAGE_WORKSPACE, SEE_ACTIVITY];

/// The person as a caller at `mount`: with their role there now, every one of `scopes` (those that the mount's
/// services declare), the house's own, and without bounds but those of the role. Limits and idempotency keys count
/// by session. `None` if they don't belong to the workspace.
///
/// # Errors
/// [`StoreError`] when the database could not be asked.
pub async fn caller(
    door: &Door,
    who: &SignedIn,
    mount: MountId,
    scopes: &Scopes,
) -> Result<Option<Arc<Caller>>, StoreError> {
    let role = store::membership::role_now(&door.db, mount.workspace, who.account).await?;
    Ok(role.map(|role| {
        Arc::new(Caller {
            workspace: mount.workspace,
            account: who.account,
            role,
            installation: InstallationId::from_uuid(who.session.uuid()),
            label: "browser".to_owned(),
            client: None,
            mount,
            scopes: scopes.iter().chain(HOUSE_SCOPES.iter().copied()).collect(),
            reach: Reach::Everything,
            run_budget: None,
            credential: Credential::Session,
        })
    }))
}
