//! Declaring queries so that each is known, and running them on whichever database there is.

/// A statement whose text must differ between the databases.
#[derive(Clone, Copy, Debug)]
pub struct PerDialect {
    /// The text for SQLite.
    pub sqlite: &'static str,
    /// The text for PostgreSQL.
    pub postgres: &'static str,
}

/// One declared query, as the test that prepares them all sees it.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The constant's name.
    pub name: &'static str,
    /// Its texts (the same one twice where both databases read it).
    pub text: PerDialect,
}

/// Declares SQL texts as constants and lists them in `QUERIES`.
///
/// `NAME = "…";` is a `&str` that both databases read; `NAME = { sqlite: "…", postgres: "…" };` is a
/// [`PerDialect`], picked with [`crate::Dialect::text`]. A text that is put together stands in parentheses:
/// `NAME = (concat!("SELECT ", columns!(), " FROM …"));`.
#[macro_export]
macro_rules! queries {
    ($($(#[$doc:meta])* $name:ident = $text:tt;)*) => {
        $($crate::queries!(@one $(#[$doc])* $name $text);)*
        /// Every query declared here.
        pub(crate) const QUERIES: &[$crate::Declared] = &[$($crate::queries!(@declared $name $text)),*];
    };
    (@one $(#[$doc:meta])* $name:ident { sqlite: $lite:expr, postgres: $pg:expr $(,)? }) => {
        $(#[$doc])* const $name: $crate::PerDialect = $crate::PerDialect { sqlite: $lite, postgres: $pg };
    };
    (@one $(#[$doc:meta])* $name:ident $text:literal) => {
        $(#[$doc])* const $name: &str = $text;
    };
    (@one $(#[$doc:meta])* $name:ident ($text:expr)) => {
        $(#[$doc])* const $name: &str = $text;
    };
    (@declared $name:ident { $($ignored:tt)* }) => {
        $crate::Declared { name: stringify!($name), text: $name }
    };
    (@declared $name:ident $text:tt) => {
        $crate::Declared { name: stringify!($name), text: $crate::PerDialect { sqlite: $name, postgres: $name } }
    };
}

/// Runs a body on whichever database there is. `$c` is an executor: a pool of readers for `read db`, the
/// transaction's connection for `tx tx`.
///
/// ```ignore
/// let row = on!(read db, c => query_as::<_, Row>(BY_ID).bind(id).fetch_optional(c).await)?;
/// on!(tx tx, c => query(INSERT).bind(id).execute(c).await)?;
/// ```
#[macro_export]
macro_rules! on {
    (read $db:expr, $c:ident => $body:expr) => {
        match $db.backend() {
            $crate::database::Backend::Sqlite { read: $c, .. } => $body,
            $crate::database::Backend::Postgres($c) => $body,
        }
    };
    (tx $tx:expr, $c:ident => $body:expr) => {
        match $tx.backend() {
            $crate::tx::Backend::Sqlite(transaction) => {
                let $c = &mut **transaction;
                $body
            }
            $crate::tx::Backend::Postgres(transaction) => {
                let $c = &mut **transaction;
                $body
            }
        }
    };
}
