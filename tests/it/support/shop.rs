//! A shop and its visitors.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use layby::api;
use layby::app::export::{self, ExportKind};
use layby::app::jobs::{self, JobKey, JobQueue};
use layby::app::{App, AppError};
use layby::clock::Clock;
use layby::config::{Config, Layers};
use layby::integrations::blobs::BlobStore;
use layby::products::Catalogue;
use layby::store::tables::Job;
use layby::store::{Direction, Key, Store, Table};
use poem::http::Method;
use poem::test::{TestClient, TestRequestBuilder};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{NOW, ORIGIN};
use crate::support::call::{Answer, Call, Routes};
use crate::support::database::empty_store;
use crate::support::gateways::{LimitedGateway, Limits};
use crate::support::letter::Letter;
use crate::support::stores::snapshot;

type Client = TestClient<Routes>;

/// A shop and a client of it.
pub struct Shop {
    pub app: Arc<App>,
    pub clock: Clock,
    client: Client,
    data: tempfile::TempDir,
}

impl Shop {
    pub async fn new() -> Self {
        Self::over(empty_store().await, NOW).await
    }

    /// Starts a shop over an existing store.
    pub async fn over(store: Store, now: &str) -> Self {
        Self::reachable_at(store, now, ORIGIN).await
    }

    pub async fn reachable_at(store: Store, now: &str, local_url: &str) -> Self {
        let builtin = Catalogue::load(None).unwrap();
        Self::made_of(store, now, local_url, &Layers::default(), builtin).await
    }

    /// Starts a shop with a settings file.
    pub async fn configured(settings: &str) -> Self {
        let layers = Layers {
            file: Some(("shop.toml".to_string(), settings.to_string())),
            ..Layers::default()
        };
        let (store, builtin) = (empty_store().await, Catalogue::load(None).unwrap());
        Self::made_of(store, NOW, ORIGIN, &layers, builtin).await
    }

    /// Starts a shop with a settings file over an existing store.
    pub async fn configured_over(store: Store, now: &str, settings: &str) -> Self {
        let layers = Layers {
            file: Some(("shop.toml".to_string(), settings.to_string())),
            ..Layers::default()
        };
        let builtin = Catalogue::load(None).unwrap();
        Self::made_of(store, now, ORIGIN, &layers, builtin).await
    }

    /// Starts a shop that calls itself at `local_url`. Its gateway has fewer capabilities than the sandbox.
    pub async fn limited_at(limits: Limits, local_url: &str) -> Self {
        let (store, contents) = (empty_store().await, BlobStore::in_memory());
        let (layers, builtin) = (Layers::default(), Catalogue::load(None).unwrap());
        let limit = |app: &mut App| {
            let sandbox = app.sandbox.clone();
            app.replace_gateway(Arc::new(LimitedGateway { sandbox, limits }));
        };
        Self::changed(store, contents, NOW, local_url, &layers, builtin, limit).await
    }

    /// Starts a shop that sells these products.
    pub async fn selling(catalogue: Catalogue) -> Self {
        let store = empty_store().await;
        Self::made_of(store, NOW, ORIGIN, &Layers::default(), catalogue).await
    }

    /// Restarts the same shop with these settings and products.
    pub async fn restarted(&self, settings: &str, catalogue: Catalogue) -> Self {
        let layers = Layers {
            file: Some(("shop.toml".to_string(), settings.to_string())),
            ..Layers::default()
        };
        let (store, now) = (self.app.store.clone(), self.clock.now().to_rfc3339());
        let contents = self.app.contents.clone();
        Self::keeping(store, contents, &now, ORIGIN, &layers, catalogue).await
    }

    /// Starts a shop with the test's own blob store.
    pub async fn with_contents(store: Store, contents: BlobStore, now: &str) -> Self {
        let builtin = Catalogue::load(None).unwrap();
        Self::keeping(store, contents, now, ORIGIN, &Layers::default(), builtin).await
    }

    async fn made_of(
        store: Store,
        now: &str,
        local_url: &str,
        layers: &Layers,
        catalogue: Catalogue,
    ) -> Self {
        let contents = BlobStore::in_memory();
        Self::keeping(store, contents, now, local_url, layers, catalogue).await
    }

    async fn keeping(
        store: Store,
        contents: BlobStore,
        now: &str,
        local_url: &str,
        layers: &Layers,
        catalogue: Catalogue,
    ) -> Self {
        Self::changed(store, contents, now, local_url, layers, catalogue, |_| {}).await
    }

    async fn changed(
        store: Store,
        contents: BlobStore,
        now: &str,
        local_url: &str,
        layers: &Layers,
        catalogue: Catalogue,
        change: impl FnOnce(&mut App),
    ) -> Self {
        let clock = Clock::fixed(now.parse::<DateTime<Utc>>().unwrap());
        let mut config = Config::load(layers).unwrap();
        let data = tempfile::tempdir().unwrap();
        config.server.data = data.path().to_owned();
        // Making the documents of a letter takes seconds, so only the tests of attachments attach them.
        let file = layers.file.as_ref();
        config.mail.attach_documents =
            file.is_some_and(|(_, text)| text.contains("attach_documents"));
        let public_url = config.server.public_url.as_ref();
        let public_url = public_url
            .map_or(ORIGIN, |given| given.as_str())
            .to_string();
        let mut app = App::new(
            config,
            store,
            contents,
            clock.clone(),
            catalogue,
            public_url,
            local_url.to_string(),
        )
        .await
        .unwrap();
        change(&mut app);
        let app = Arc::new(app);
        use poem::EndpointExt;
        let client = TestClient::new(api::routes(app.clone()).boxed());
        Self {
            app,
            clock,
            client,
            data,
        }
    }

    /// Fills the store with demonstration customers. Returns three user names.
    pub async fn seed(&self, customers: u32, policies: u32) -> Vec<String> {
        let plan = layby::app::seed::Plan {
            customers,
            policies,
            seed_number: 1,
        };
        layby::app::seed::fill(&self.app, &plan, &mut |_, _| {})
            .await
            .unwrap()
            .addresses
    }

    /// Logs in as a demonstration customer. Returns the session's cookie.
    pub async fn log_in(&self, username: &str) -> String {
        self.log_in_with(username, "Layby-demo-2026").await
    }

    pub async fn log_in_with(&self, username: &str, password: &str) -> String {
        self.post(
            "/api/login",
            &json!({ "username": username, "password": password, "remember": true }),
        )
        .succeeds()
        .await
        .cookie("layby_session")
    }

    /// Logs in a demonstration customer. Returns the user name and the session's cookie.
    pub async fn customer(&self) -> (String, String) {
        let user = self.seed(2, 0).await.remove(0);
        let cookie = self.log_in(&user).await;
        (user, cookie)
    }

    /// Logs in two demonstration customers. Returns user names and the two cookies.
    pub async fn customers(&self) -> (Vec<String>, [String; 2]) {
        let users = self.seed(2, 0).await;
        let cookies = [self.log_in(&users[0]).await, self.log_in(&users[1]).await];
        (users, cookies)
    }

    /// Reads the profile of a session.
    pub async fn profile(&self, cookie: &str) -> Answer {
        self.get("/api/v1/profile").cookies(cookie).send().await
    }

    /// Returns the call that reads the state of a password link.
    pub fn password_info(&self, aid: &str) -> Call<'_> {
        self.get(&format!("/api/v1/password/{aid}/info"))
    }

    /// Returns the call that sets a password by a link, with the password typed twice.
    pub fn reset_password(&self, aid: &str, password: &str) -> Call<'_> {
        let path = format!("/api/v1/password/{aid}/reset");
        let body = json!({ "issue": 0, "password": password, "password_rpt": password });
        self.post(&path, &body)
    }

    pub async fn log_out(&self, cookie: &str) {
        let call = self.get("/api/logout").cookies(cookie);
        call.succeeds().await;
    }

    /// Returns the due jobs of every queue, at most 100 of each.
    pub async fn due(&self) -> Vec<(JobKey, Job)> {
        let mut due = Vec::new();
        for queue in JobQueue::ALL {
            due.extend(
                jobs::due_jobs(&self.app.store, &self.app.clock, queue, 100)
                    .await
                    .unwrap()
                    .jobs,
            );
        }
        due
    }

    /// Runs all due jobs, and the jobs that these add.
    pub async fn work(&self) {
        loop {
            let due = self.due().await;
            if due.is_empty() {
                return;
            }
            for (key, job) in due {
                jobs::run_job(&self.app, key, job).await.unwrap();
            }
        }
    }

    /// Runs the jobs that are due now. Some may fail, and are due again later.
    pub async fn work_with_failures(&self) {
        for (key, job) in self.due().await {
            let _ = jobs::run_job(&self.app, key, job).await;
        }
    }

    /// Runs all due jobs except the sandbox gateway's callbacks, as if the shop can't be reached.
    pub async fn work_without_callbacks(&self) {
        loop {
            let mut due = self.due().await;
            due.retain(|(_, job)| !job.task.name().starts_with("sandbox "));
            if due.is_empty() {
                return;
            }
            for (key, job) in due {
                jobs::run_job(&self.app, key, job).await.unwrap();
            }
        }
    }

    /// Advances the clock until letters about quotes are due, and sends them. A quote's letter is due 30
    /// seconds after the save.
    pub async fn post_comes(&self) {
        self.clock.advance(TimeDelta::seconds(31));
        self.work().await;
    }

    /// Returns the folder of sent letters.
    pub fn mail_folder(&self) -> std::path::PathBuf {
        self.data.path().join("mail")
    }

    /// Returns the letters that were sent so far, oldest first.
    pub fn letters(&self) -> Vec<Letter> {
        let files = std::fs::read_dir(self.mail_folder()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        files
            .iter()
            .map(|file| Letter::read(&std::fs::read_to_string(file).unwrap()))
            .collect()
    }

    pub fn get(&self, path: &str) -> Call<'_> {
        Call::new(&self.client, Method::GET, path)
    }

    pub fn post(&self, path: &str, body: &Value) -> Call<'_> {
        Call::new(&self.client, Method::POST, path).json(body)
    }

    pub fn put(&self, path: &str, body: &Value) -> Call<'_> {
        Call::new(&self.client, Method::PUT, path).json(body)
    }

    /// Returns a call with any method and path.
    pub fn call(&self, method: Method, path: &str) -> Call<'_> {
        Call::new(&self.client, method, path)
    }

    /// Returns a request outside the API: a page, or the sandbox gateway's frame.
    pub fn page(&self, method: Method, path: &str) -> TestRequestBuilder<'_, Routes> {
        let is_call = path.starts_with("/api/") && path != "/api/docs";
        assert!(!is_call, "{path} answers with a form of the document");
        self.client.request(method, path.to_string())
    }

    /// Returns a row of the store.
    #[track_caller]
    pub fn row<K, V, const IS_INDEX: bool>(&self, table: &Table<K, V, IS_INDEX>, key: &K) -> V
    where
        K: Key,
        V: Serialize + DeserializeOwned,
    {
        let row = table.get(&snapshot(&self.app.store), key).unwrap();
        row.unwrap()
    }

    /// Returns all rows of a table in the order of their keys.
    pub fn rows<K, V, const IS_INDEX: bool>(&self, table: &Table<K, V, IS_INDEX>) -> Vec<(K, V)>
    where
        K: Key,
        V: Serialize + DeserializeOwned,
    {
        let tx = snapshot(&self.app.store);
        let rows = table.list(&tx, &(), Direction::Forward, usize::MAX);
        rows.unwrap()
    }

    /// Returns the sold policies of the operator's export.
    pub async fn exported_policies(&self) -> Vec<Value> {
        let mut policies = Vec::new();
        let now = self.clock.now();
        let take = |row| {
            policies.push(serde_json::to_value(row).unwrap());
            Ok::<_, AppError>(())
        };
        let done = export::rows(&self.app.store, ExportKind::Policies, now, take).await;
        done.unwrap();
        policies
    }
}
