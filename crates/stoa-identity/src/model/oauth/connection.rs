//! An installation, as its person sees it.

use serde::Serialize;
use stoa_store::audit::AddressClass;

use super::client::ClientKind;
use crate::Installation;

/// An installation with what is known of its client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Connection {
    /// The installation: grant, label, when it was made, used and ended.
    pub installation: Installation,
    /// The client that was connected; `None` for a personal token.
    pub client: Option<ConnectedClient>,
    /// What kind of address its person was at.
    pub address: AddressClass,
    /// Whether it has a token that is good.
    pub has_tokens: bool,
}

/// A client that was connected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConnectedClient {
    /// How it came to be known.
    pub kind: ClientKind,
    /// What it calls itself by.
    pub client_id: String,
    /// The name it gave itself. Nobody checked it.
    pub name: Option<String>,
    /// Where the last consent's answer went.
    pub redirect_uri: Option<String>,
}
