//! What can go wrong between us and the database that the store is in.

/// Why the store's database doesn't serve us. No message quotes what the database said: that may
/// hold a row, a name or an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// The setting isn't an address of a database.
    #[error(
        "store.url can't be read: it must be like postgres://user@host:5432/database, with several \
         hosts as host1:5432,host2:5432, and with sslmode=require or disable where it names one"
    )]
    Url,
    /// A file of the settings can't be read.
    #[error("{setting}: {path} {why}")]
    File {
        /// The setting that names it.
        setting: &'static str,
        /// Its path.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The computer's own threads or its random numbers fail.
    #[error("the connections to the store's database can't be set up: {0}")]
    Setup(&'static str),
    /// Nobody takes a connection.
    #[error("the store's database can't be reached: {0}")]
    Unreachable(String),
    /// The connection can't be encrypted, or its certificate isn't trusted.
    #[error(
        "the connection to the store's database can't be encrypted: the server has no TLS, or a \
         certificate that is not for this host or not from an authority we trust (store.ca_file)"
    )]
    Tls,
    /// Wrong name or password.
    #[error("the store's database refuses the user or the password")]
    Password,
    /// The server has no such database.
    #[error("the store's database server has no database of the name in store.url")]
    NoDatabase,
    /// The schema that `search_path` names isn't there.
    #[error("the store's database has no schema of the name in search_path")]
    NoSchema,
    /// The user's rights don't suffice.
    #[error("the user of store.url may not read, write or create the store's tables")]
    NotAllowed,
    /// It holds something else.
    #[error(
        "this database, or this schema of it, holds the table {table}, which is not a store's of \
         layby; nothing in it was changed. Give layby a database or a schema of its own"
    )]
    NotOurs {
        /// A table in it.
        table: String,
    },
    /// It takes no writes.
    #[error("the store's database can only be read: it is a standby, or was set to read only")]
    ReadOnly,
    /// Somebody else keeps the store's tables locked.
    #[error("somebody else has locked the store's tables")]
    Locked,
    /// Its disk is full.
    #[error("the disk of the store's database is full")]
    Full,
    /// It takes no more connections.
    #[error("the store's database has no connection left for us")]
    TooMany,
    /// It is starting, or stopping.
    #[error("the store's database is starting or stopping")]
    Starting,
    /// No answer came in time.
    #[error("the store's database didn't answer in time")]
    Slow,
    /// All our own connections are at work.
    #[error("all connections to the store's database are at work")]
    Busy,
    /// The answer to a commit was lost, and nobody could be asked in time.
    #[error(
        "the connection to the store's database broke in the middle of a commit: whether that was \
         kept is not known"
    )]
    Unknown,
    /// The answer to a commit was lost; the database, asked again, says that it was not kept.
    #[error("the connection to the store's database broke before a commit: nothing of it was kept")]
    NotKept,
    /// Another shop serves the store now.
    #[error("another layby has taken over the store")]
    TakenOver,
    /// Another shop serves the store, and sells by other files.
    #[error(
        "another layby that serves this store has other product files ({differ}): start this one \
         with the same, or stop the others first"
    )]
    OtherProducts {
        /// Products and versions that only one of the two has, or of which the files differ.
        differ: String,
    },
    /// Another shop serves the store, and knows another form of its rows.
    #[error(
        "another layby that serves this store (version {build}) has schema {theirs}: start this \
         one with the same version, or stop the others first"
    )]
    OtherSchema {
        /// Its schema.
        theirs: i64,
        /// Its version.
        build: String,
    },
    /// The clocks differ.
    #[error(
        "this machine's clock is {} than the clock of the store's database: shops that serve one \
         store need clocks within 2 s of it (NTP sets them)", format_seconds(*ahead)
    )]
    Clock {
        /// How far it is ahead, milliseconds; less than 0 for behind.
        ahead: i64,
    },
    /// Anything else, by its code.
    #[error("the store's database failed (SQLSTATE {0}); a log at level debug has more")]
    Other(String),
}

fn format_seconds(ahead: i64) -> String {
    let seconds = (ahead.unsigned_abs() + 500) / 1000;
    let which = if ahead > 0 { "later" } else { "earlier" };
    format!("{seconds} s {which}")
}
