//! Why a command could not do its work: one sentence each, which says what to do where something can be done.

use std::net::SocketAddr;
use std::path::PathBuf;

use stoa_identity::{Email, Refusal, WorkspaceName};

/// A command failed: exit code 1.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The configuration can't be used.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// The configured log filter can't be read.
    #[error("log.level {0:?} can't be read: give error, warn, info, debug or trace, or levels by module")]
    LogLevel(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] stoa_store::StoreError),
    /// The secret key can't be used.
    #[error(transparent)]
    Secret(#[from] stoa_store::secret::SecretError),
    /// The blobs failed.
    #[error(transparent)]
    Blobs(#[from] stoa_store::blob::BlobError),
    /// A file or folder can't be used.
    #[error("{path}: {source}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A command that needs a Stoa found none where it looked.
    #[error(
        "there is no Stoa in {0}: name its folder with --data or STOA_DATA, or begin one with `stoa serve`"
    )]
    NoStoa(PathBuf),
    /// The database is of a newer Stoa.
    #[error(
        "the database was migrated by a newer Stoa ({0}): run that version, or restore a backup of this one's"
    )]
    NewerDatabase(String),
    /// Standard output can't be written to.
    #[error("the output can't be written: {0}")]
    Output(std::io::Error),
    /// Standard input can't be read.
    #[error("standard input can't be read: {0}")]
    Input(std::io::Error),
    /// An address can't be listened on.
    #[error("{address} can't be listened on ({source}): stop what uses it, or choose another with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A server for this machine alone would be open to others.
    #[error(
        "{address} can be reached from other machines, but the public URL {public_url} is good on this one only: \
         listen on a loopback address, or say with --public-url how others reach the server"
    )]
    OpenListener {
        /// The address.
        address: SocketAddr,
        /// The public URL.
        public_url: String,
    },
    /// The certificate can't be served.
    #[error(transparent)]
    Tls(#[from] crate::serve::tls::TlsError),
    /// Another server uses the data folder.
    #[error("another server uses {0}: stop it, or give this one a data folder of its own with --data")]
    FolderInUse(PathBuf),
    /// The signals that stop a server can't be heard.
    #[error("signals can't be heard: {0}")]
    Signals(std::io::Error),
    /// The services don't fit together, or not with the configured URLs.
    #[error(transparent)]
    Assembly(#[from] stoa_mcp::AssemblyError),
    /// The pages don't fit with the configured URLs.
    #[error(transparent)]
    Site(stoa_site::SiteError),
    /// Documents of clients can't be read.
    #[error(transparent)]
    Outbound(stoa_outbound::OutboundError),
    /// The configured OpenID provider can't be one.
    #[error("oidc: {0}")]
    Oidc(String),
    /// The mail server's URL is none. It is not shown, as it may hold a password.
    #[error(
        "mail.url can't be used: give smtps://USER:PASSWORD@HOST, or smtp://USER:PASSWORD@HOST?tls=required where \
         the server speaks STARTTLS"
    )]
    MailUrl,
    /// Whom letters are from is no mailbox.
    #[error("mail.from {0:?} is no mailbox: give one such as Stoa <stoa@example.org>")]
    MailFrom(String),
    /// A trusted proxy is no address.
    #[error("trusted_proxies: {0:?}: {1}")]
    Proxy(String, stoa_site::address::NotANetwork),
    /// A host of its own names no workspace.
    #[error("hosts: {0:?}: {1}")]
    Host(String, stoa_identity::NotAWorkspaceName),
    /// Metrics can't be gathered.
    #[error("metrics can't be gathered: {0}")]
    Metrics(String),
    /// There is no such mount in this build.
    #[error("this build has no mount {name}; it has: {known}")]
    MissingMount {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The mount knows no such scope.
    #[error("the mount {mount} has no scope {scope}; it has: {known}")]
    UnknownScope {
        /// The mount.
        mount: String,
        /// What was asked for.
        scope: String,
        /// What there is.
        known: String,
    },
    /// There is no such workspace.
    #[error("there is no workspace {0}: add it with `stoa workspace add {0} --owner EMAIL`")]
    UnknownWorkspace(WorkspaceName),
    /// There is no such token.
    #[error("there is no token {0}: `stoa token list` shows them")]
    UnknownToken(String),
    /// What was typed as a password is none.
    #[error(transparent)]
    Password(#[from] stoa_identity::NotAPassword),
    /// There is no such account.
    #[error("there is no account {0}: add it with `stoa account add {0}`")]
    UnknownAccount(Email),
    /// The account is disabled.
    #[error("the account {0} is disabled: `stoa account enable {0}` first")]
    DisabledAccount(Email),
    /// There can't be a set-up link.
    #[error(transparent)]
    SetupLink(#[from] stoa_identity::setup_links::SetupLinkError),
    /// The account can't be added.
    #[error(transparent)]
    AddAccount(#[from] stoa_identity::accounts::AddAccountError),
    /// The workspace can't be added.
    #[error(transparent)]
    AddWorkspace(#[from] stoa_identity::workspaces::AddWorkspaceError),
    /// The workspace can't be deleted.
    #[error(transparent)]
    DeleteWorkspace(#[from] stoa_identity::workspaces::DeleteWorkspaceError),
    /// Who deletes a workspace names it twice.
    #[error("nothing was deleted: to delete the workspace {0} with all that it has, say --really {0}")]
    NotReally(WorkspaceName),
    /// The token can't be made.
    #[error(transparent)]
    AddToken(#[from] stoa_identity::tokens::AddTokenError),
    /// A setting was given twice.
    #[error("--set {0}: give it once")]
    RepeatedSetting(String),
    /// The catalog can't do it.
    #[error(transparent)]
    Things(#[from] things::operations::ThingsError),
    /// There is no such resource.
    #[error("there is no resource {0} in this workspace")]
    UnknownResource(things::model::ResourceId),
    /// The run can't be queued.
    #[error(transparent)]
    Enqueue(#[from] stoa_runs::EnqueueError),
    /// The run did not end well.
    #[error("the run {0} did not come to its end; see above")]
    Run(stoa_runs::RunId),
    /// A part that Stoa can't do without is broken.
    #[error("broken: {0}; see above")]
    Unwell(String),
    /// The audit shows signs of tampering.
    #[error("the audit was changed or damaged; see above")]
    AuditBroken,
    /// The backup can't be taken or loaded.
    #[error(transparent)]
    Backup(#[from] crate::backup::BackupError),
    /// There is no secret key for what a backup holds.
    #[error(
        "the backup has no secret key: put the one it was made with at {0}, or take a backup with --with-key"
    )]
    MissingKey(PathBuf),
    /// There is another secret key than the backup's.
    #[error("{0} is another secret key than the backup's: move it away, or replace everything with --force")]
    OtherKey(PathBuf),
}

impl Failure {
    /// What refusing somebody at the machine this resource means.
    #[must_use]
    pub fn resource(id: things::model::ResourceId, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Store(error) => Self::Store(error),
            Refusal::NotFound | Refusal::Denied { .. } => Self::UnknownResource(id),
        }
    }

    /// A function that says which file it was.
    pub fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
