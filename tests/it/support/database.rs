//! The stores of the tests' shops: in memory, or in a PostgreSQL server that `tests/postgres` starts.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use layby::config::StoreSettings;
use layby::secret::Secret;
use layby::store::{JoinRequest, Store, StoreError};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

/// Environment variable with the server that all tests of a run share. If it is not set, stores are in
/// memory.
const SHARED: &str = "LAYBY_TEST_STORE";

/// A PostgreSQL server that ends with the test.
pub struct Server {
    /// Address of the server, with the rights of a superuser.
    pub url: String,
    process: Child,
}

impl Server {
    /// Starts a server. Returns `None`, and prints why, on a machine without PostgreSQL.
    pub fn run() -> Option<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/postgres");
        let mut command = Command::new(script);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = Self {
            url: String::new(),
            process: command.spawn().unwrap(),
        };
        let mut said = String::new();
        let out = server.process.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut said).unwrap();
        if said.starts_with("unavailable") {
            eprintln!("not tested: {said}");
            return None;
        }
        server.url = said.trim().to_string();
        assert!(server.url.starts_with("postgres://"), "{said}");
        Some(server)
    }

    /// Returns the address of an empty schema.
    pub async fn schema(&self) -> String {
        schema_of(&self.url).await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// Opens a connection for the test itself.
pub async fn client(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn schema_of(url: &str) -> String {
    let name = format!("t{}", Uuid::new_v4().simple());
    let made = format!("CREATE SCHEMA {name}");
    client(url).await.batch_execute(&made).await.unwrap();
    format!("{url}?options=-csearch_path%3D{name}")
}

/// Returns the settings of a store in a database.
pub fn at(url: &str) -> StoreSettings {
    StoreSettings {
        url: Some(Secret::from(url.to_string())),
        password: None,
        password_file: None,
        ca_file: None,
        connections: 4,
        cache: 4 << 20,
    }
}

/// Opens the store of a database.
pub fn open(url: &str) -> Result<Store, StoreError> {
    open_with(&at(url))
}

/// Opens a store with other settings.
pub fn open_with(settings: &StoreSettings) -> Result<Store, StoreError> {
    Store::open_database(settings.url.as_ref().unwrap(), settings)
}

/// Joins the cluster of a database, with these product files.
pub fn join(url: &str, products: &[(&str, &str)]) -> Result<Store, StoreError> {
    let products = products.iter();
    let joining = JoinRequest {
        build: env!("CARGO_PKG_VERSION").to_string(),
        products: products
            .map(|(product, hash)| ((*product).to_string(), (*hash).to_string()))
            .collect(),
        checks_clock: true,
    };
    Store::join_database(&Secret::from(url.to_string()), &at(url), &joining)
}

/// Joins the cluster with the built-in product files, without a comparison of clocks.
pub fn join_as_built(url: &str) -> Result<Store, StoreError> {
    join_builtin(url, false)
}

/// Joins the cluster with the built-in product files. The shop's clock must be the database's.
pub fn join_with_clock(url: &str) -> Result<Store, StoreError> {
    join_builtin(url, true)
}

fn join_builtin(url: &str, checks_clock: bool) -> Result<Store, StoreError> {
    let joining = JoinRequest {
        build: env!("CARGO_PKG_VERSION").to_string(),
        products: layby::products::Catalogue::load(None).unwrap().hashes(),
        checks_clock,
    };
    Store::join_database(&Secret::from(url.to_string()), &at(url), &joining)
}

/// Returns an empty store of the kind that this run uses.
pub async fn empty_store() -> Store {
    match std::env::var(SHARED) {
        // The shop joins as a cluster of one, so that the tests run the code for clusters too.
        Ok(url) => join_as_built(&schema_of(&url).await).unwrap(),
        Err(_) => Store::in_memory().unwrap(),
    }
}
