//! Who somebody is and what they may do: accounts, workspaces, installations, grants and tokens.
//!
//! - [`Authenticator`] turns the token of a request into a [`Caller`].
//! - [`authorized`] turns a caller and an id into an [`Authorized`], which operations of every service take.
//! - [`accounts`], [`workspaces`], [`members`], [`installations`], [`tokens`] and [`activity`] are this crate's own
//!   operations, one file a verb.
//! - [`mod@oauth`] is the authorization server of every mount, without HTTP; [`traces`] is what it saw of clients.
//! - [`sessions`], [`passwords`], [`second_factors`], [`passkeys`], [`oidc`], [`setup_links`], [`resets`] and
//!   [`invitations`] are how people sign in and come in: operations, too, on a [`Door`].
//! - [`secret_token`] and [`password`] are how secrets look and how they are kept: as hashes.
//!
//! An *account* is a person, a *workspace* a tenant, a *membership* what a person is in one. An
//! *installation* is one authorization of one client by one person; its *grant* says what it may do, its
//! *tokens* prove it. **Rights = grant ∩ what the person may do now**, at every call.

pub mod authenticator;
pub mod authorized;
pub mod door;
pub mod model;
pub mod operations;
pub mod password;
pub mod secret_token;
mod store;

use stoa_store::Migrations;

pub use authenticator::{Authenticator, Rejected};
pub use authorized::{Authorized, Refusal, Right, Target, WorkspaceTarget, authorize, authorize_workspace};
pub use door::{Door, OidcPolicy, SessionPolicy};
pub use model::account::Account;
pub use model::activity::{Activity, ActivityFilter, ActivityId, ActivityPlace, Doing};
pub use model::caller::Caller;
pub use model::email::{Email, NotAnEmail};
pub use model::installation::{ClientInfo, Grant, Installation};
pub use model::invitation::{Invitation, InvitationId, Offer};
pub use model::link::OneTimeLink;
pub use model::membership::{Belonging, Membership};
pub use model::mount::MountId;
pub use model::oauth::answer::{Redirection, TokenAnswer};
pub use model::oauth::authorization::{Authorization, Before, ConsentPage, Decision, Earlier, Prompt};
pub use model::oauth::client::{ClientKind, OAuthClient, OAuthClientId};
pub use model::oauth::connection::{ConnectedClient, Connection};
pub use model::oauth::document::{BadDocument, LARGEST_DOCUMENT, document_url, read_document};
pub use model::oauth::error::ErrorCode;
pub use model::oauth::metadata::{BadMetadata, CheckedMetadata, ClientMetadata, Registration};
pub use model::oauth::profile::{Lifetimes, MountProfile};
pub use model::oauth::redirect_uri::{NotARedirectUri, RedirectKind, RedirectUri};
pub use model::oauth::request::{Parameters, Person, Repeated};
pub use model::oauth::trace::{Sighting, Step, Trace, TraceId};
pub use model::oidc_link::OidcLink;
pub use model::passkey::{PasskeyId, PasskeyRecord};
pub use model::reach::Reach;
pub use model::role::{NotARole, Role};
pub use model::scopes::{NotScopes, Scopes};
pub use model::session::{
    AuthenticatedBy, NewSession, NotFresh, SecondStep, SessionId, SessionRecord, SignedIn,
};
pub use model::token::{TokenId, TokenPlace, TokenRecord};
pub use model::visit::Visit;
pub use model::workspace::{NotAWorkspaceName, Workspace, WorkspaceName};
pub use operations::invitations::ManageMembers;
pub use operations::oauth::{OAuth, OAuthSettings};
pub use operations::passwords::SignInError;
pub use operations::prune::prune;
pub use operations::sessions::{
    HOUSE_SCOPES, MANAGE_MEMBERS, MANAGE_RESOURCES, MANAGE_WORKSPACE, SEE_ACTIVITY,
};
pub use operations::workspaces::ManageWorkspace;
pub use operations::{
    accounts, activity, installations, invitations, members, oauth, oidc, passkeys, passwords, resets,
    second_factors, sessions, setup_links, tokens, traces, workspaces,
};
pub use password::{HashingFailed, NotAPassword, Password, PasswordHash};
pub use secret_token::{SecretKind, SecretToken, TokenHash};
pub use store::QUERIES;

/// The tables of this crate.
pub static MIGRATIONS: Migrations = Migrations {
    component: "identity",
    sqlite: sqlx::migrate!("migrations/sqlite"),
    postgres: sqlx::migrate!("migrations/postgres"),
};

/// Rung whenever a token, a membership or an account ends or changes: whoever holds a [`Caller`] looks again.
pub const TOKENS: stoa_store::Topic = "tokens";

/// Rung whenever a workspace is deleted: whoever holds its id by its name looks again.
pub const WORKSPACES: stoa_store::Topic = "workspaces";
