//! Errors of the store's database.

/// Why the store's database can't be used. No message quotes the database's own text, because that text
/// may contain a row, a name or an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// `store.url` isn't a database address.
    #[error(
        "store.url can't be read: it must be like postgres://user@host:5432/database, with several \
         hosts as host1:5432,host2:5432, and with sslmode=require or disable where it names one"
    )]
    Url,
    /// A file that the settings name can't be read.
    #[error("{setting}: {path} {why}")]
    File {
        /// The setting that names the file.
        setting: &'static str,
        path: String,
        why: String,
    },
    /// The system can't start threads or make random numbers.
    #[error("the connections to the store's database can't be set up: {0}")]
    Setup(&'static str),
    /// The server accepts no connection.
    #[error("the store's database can't be reached: {0}")]
    Unreachable(String),
    /// The connection can't be encrypted, or the server's certificate isn't trusted.
    #[error(
        "the connection to the store's database can't be encrypted: the server has no TLS, or a \
         certificate that is not for this host or not from an authority we trust (store.ca_file)"
    )]
    Tls,
    /// Wrong user or password.
    #[error("the store's database refuses the user or the password")]
    Password,
    /// The server has no such database.
    #[error("the store's database server has no database of the name in store.url")]
    NoDatabase,
    /// The schema in `search_path` doesn't exist.
    #[error("the store's database has no schema of the name in search_path")]
    NoSchema,
    /// The user lacks rights.
    #[error("the user of store.url may not read, write or create the store's tables")]
    NotAllowed,
    /// The database has tables, but not all of a store's tables.
    #[error(
        "this database, or this schema of it, holds the table {table}, which is not a store's of \
         layby; nothing in it was changed. Give layby a database or a schema of its own"
    )]
    NotOurs { table: String },
    #[error("the store's database can only be read: it is a standby, or was set to read only")]
    ReadOnly,
    /// Another client has locked the store's tables.
    #[error("somebody else has locked the store's tables")]
    Locked,
    /// The database's disk is full.
    #[error("the disk of the store's database is full")]
    Full,
    /// The server accepts no more connections.
    #[error("the store's database has no connection left for us")]
    TooMany,
    /// The server is starting or stopping.
    #[error("the store's database is starting or stopping")]
    Starting,
    /// No answer came in time.
    #[error("the store's database didn't answer in time")]
    Slow,
    /// No connection of this process became free in time.
    #[error("all connections to the store's database are at work")]
    Busy,
    /// The answer to a commit was lost, and its outcome could not be read in time.
    #[error(
        "the connection to the store's database broke in the middle of a commit: whether that was \
         kept is not known"
    )]
    Unknown,
    /// The answer to a commit was lost. The database reports that the commit was not stored.
    #[error("the connection to the store's database broke before a commit: nothing of it was kept")]
    NotKept,
    /// Another node serves the store now.
    #[error("another layby has taken over the store")]
    TakenOver,
    /// Another node serves the store with other product files.
    #[error(
        "another layby that serves this store has other product files ({differ}): start this one \
         with the same, or stop the others first"
    )]
    OtherProducts {
        /// Products and versions whose files differ, or that only one node has.
        differ: String,
    },
    /// Another node serves the store with another schema.
    #[error(
        "another layby that serves this store (version {build}) has schema {theirs}: start this \
         one with the same version, or stop the others first"
    )]
    OtherSchema {
        /// The other node's schema.
        theirs: i64,
        /// The other node's version.
        build: String,
    },
    /// The clocks of this machine and the database differ by more than two seconds.
    #[error(
        "this machine's clock is {} than the clock of the store's database: shops that serve one \
         store need clocks within 2 s of it (NTP sets them)", format_seconds(*ahead)
    )]
    Clock {
        /// How far this machine's clock is ahead of the database's clock, in milliseconds. Negative if
        /// behind.
        ahead: i64,
    },
    /// Any other error, by its SQLSTATE.
    #[error("the store's database failed (SQLSTATE {0}); a log at level debug has more")]
    Other(String),
}

fn format_seconds(ahead: i64) -> String {
    let seconds = (ahead.unsigned_abs() + 500) / 1000;
    let which = if ahead > 0 { "later" } else { "earlier" };
    format!("{seconds} s {which}")
}
