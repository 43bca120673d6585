//! Authorization objects: the one place where it is decided who may do what.
//!
//! An operation takes an [`Authorized<T, R>`] (*this caller may do `R` to this `T`*), never a bare id, so it
//! can't be called without the decision having been made. Only [`authorize`] and [`authorize_workspace`] make
//! one. Every front door (MCP, web, command line, runs) calls the same operations, so it does not matter
//! which door somebody came through.
//!
//! **Rights = grant ∩ what the person may do now.** The three questions, in this order:
//!
//! 1. *Scope*: was [`Right::SCOPE`] granted? The MCP endpoint hides tools outside the grant; it is asked here
//!    again, since there are other doors.
//! 2. *Role*: is the person's role now, not the role at the time of the grant, at least
//!    [`Right::LEAST_ROLE`]?
//! 3. *Look-up*: [`Target::find`] reads the row **with tenant and reach in its condition**. A row of another
//!    tenant, one outside the reach and one that never was all give `None`, hence the same
//!    [`Refusal::NotFound`].
//!
//! The first two don't look at the id, so neither their answer nor the time they take tells anything about
//! what exists.
//!
//! # A right and a target
//! ```
//! use stoa_base::Id;
//! use stoa_identity::{Authorized, Caller, Right, Role, Target};
//! use stoa_store::{Database, StoreError};
//!
//! enum Kettle {}
//!
//! /// To boil a kettle.
//! struct Boil;
//! impl Right for Boil {
//!     const NAME: &'static str = "boil";
//!     const SCOPE: &'static str = "kitchen:use";
//!     const LEAST_ROLE: Role = Role::Member;
//! }
//!
//! struct KettleRow {
//!     id: Id<Kettle>,
//! }
//! impl Target for KettleRow {
//!     type Id = Id<Kettle>;
//!
//!     async fn find(db: &Database, caller: &Caller, id: &Id<Kettle>) -> Result<Option<Self>, StoreError> {
//!         // SELECT … FROM kettle WHERE workspace_id = $1 AND id = $2, with caller.workspace.
//! #       let _ = (db, caller);
//!         Ok(Some(KettleRow { id: *id }))
//!     }
//! }
//!
//! // An operation says in its signature what it needs.
//! async fn boil(kettle: &Authorized<KettleRow, Boil>) -> Id<Kettle> {
//!     kettle.target().id
//! }
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use stoa_store::{Database, StoreError};

use crate::{Caller, Role};

/// Something one may be allowed to do to a target: a type without values.
pub trait Right: Send + Sync + 'static {
    /// Its name in refusals and logs, such as `sync`.
    const NAME: &'static str;
    /// The scope that must have been granted.
    const SCOPE: &'static str;
    /// The least role whose people may.
    const LEAST_ROLE: Role;
}

/// Something that is found by an id and belongs to one workspace.
pub trait Target: Sized + Send {
    /// What it is found by.
    type Id: Sync;

    /// Finds it **for this caller**: the look-up itself is bound to `caller.workspace` and `caller.reach`,
    /// so that what belongs to another tenant or lies outside the reach is `None`, as if it were not there.
    ///
    /// # Errors
    /// [`StoreError`] when the database could not be asked.
    fn find(
        db: &Database,
        caller: &Caller,
        id: &Self::Id,
    ) -> impl Future<Output = Result<Option<Self>, StoreError>> + Send;
}

/// Proof that `R` may be done to this `T` by this caller, as of a moment ago.
pub struct Authorized<T, R> {
    caller: Arc<Caller>,
    target: T,
    right: PhantomData<fn() -> R>,
}

impl<T, R> Authorized<T, R> {
    /// Who may.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// What it may be done to.
    #[must_use]
    pub const fn target(&self) -> &T {
        &self.target
    }
}

impl<T: fmt::Debug, R: Right> fmt::Debug for Authorized<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorized")
            .field("right", &R::NAME)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

/// The caller's whole workspace as a target, for rights that concern no single thing in it: to search, to
/// list, to make. Which workspace, `caller().workspace` says; its reach still binds what is found.
#[derive(Clone, Copy, Debug)]
pub struct WorkspaceTarget;

/// Why a right was not given.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such thing for this caller: unknown, another tenant's, or out of reach. Which, nobody is
    /// told.
    #[error("not found")]
    NotFound,
    /// The grant or the person's role does not allow it.
    #[error("not allowed: {right}")]
    Denied {
        /// The right's name.
        right: &'static str,
    },
    /// It could not be decided.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Decides whether `caller` may do `R` to the `T` with this id.
///
/// # Errors
/// [`Refusal`], saying why not.
pub async fn authorize<T: Target, R: Right>(
    db: &Database,
    caller: &Arc<Caller>,
    id: &T::Id,
) -> Result<Authorized<T, R>, Refusal> {
    check::<R>(caller)?;
    let target = T::find(db, caller, id).await?.ok_or(Refusal::NotFound)?;
    Ok(Authorized { caller: caller.clone(), target, right: PhantomData })
}

/// Decides whether `caller` may do `R` in its workspace.
///
/// # Errors
/// [`Refusal::Denied`] if not.
pub fn authorize_workspace<R: Right>(
    caller: &Arc<Caller>,
) -> Result<Authorized<WorkspaceTarget, R>, Refusal> {
    check::<R>(caller)?;
    Ok(Authorized { caller: caller.clone(), target: WorkspaceTarget, right: PhantomData })
}

/// Grant, then role; neither depends on what the right is wanted for.
fn check<R: Right>(caller: &Caller) -> Result<(), Refusal> {
    if caller.scopes.contains(R::SCOPE) && caller.role >= R::LEAST_ROLE {
        return Ok(());
    }
    Err(Refusal::Denied { right: R::NAME })
}
