//! `layby backup`, `restore` and `resume` with the real binary, and the daily backup.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use layby::store::{Store, tables};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Running, layby, run, text};
use crate::support::database::Server;
use crate::support::production::write_production;
use crate::support::stores::{snapshot, store_in};
use crate::support::{Letter, two_vehicles};

const PASSWORD: &str = "Layby-demo-2026";

pub(super) fn seeded(policies: &str) -> TempDir {
    seeded_with_name(policies).0
}

/// Returns a data folder, and the user name of a customer.
fn seeded_with_name(policies: &str) -> (TempDir, String) {
    let data = tempfile::tempdir().unwrap();
    let seed = ["seed", "--customers", "2", "--policies", policies];
    let said = succeeds(run(layby(data.path()).args(seed)));
    let name = said
        .split_whitespace()
        .find(|word| word.ends_with("@example.org"));
    (data, name.unwrap().to_string())
}

pub(super) fn backup(data: &Path, file: &Path, more: &[&str]) -> Output {
    run(layby(data).arg("backup").arg(file).args(more))
}

pub(super) fn succeeds(done: Output) -> String {
    assert!(done.status.success(), "{}", text(&done.stderr));
    text(&done.stdout)
}

/// Checks that a command failed with one sentence. Returns the sentence.
pub(super) fn fails(done: Output) -> String {
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stdout));
    let said = text(&done.stderr);
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

pub(super) fn names(folder: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<_> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

async fn create(shop: &Running) -> (u16, Value) {
    let quote = json!({ "product": two_vehicles() });
    let path = "/api/v2/public/quote/breakdown";
    shop.call("POST", path, "", Some(quote)).await
}

fn number(reference: &str) -> u32 {
    reference[3..11].parse().unwrap()
}

/// Repeats a call until it answers `wanted`.
async fn until(shop: &Running, wanted: u16) -> Value {
    for _ in 0..100 {
        let (status, answer) = create(shop).await;
        if status == wanted {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("it never answered {wanted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_shop_is_copied_restored_held_and_released() {
    let ((data, name), elsewhere) = (seeded_with_name("8"), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("copy.redb");
    let documents = elsewhere.path().join("documents");
    let shop = Running::start(data.path(), &[]);
    let client = layby::integrations::http::client(None).unwrap();
    assert_eq!(
        client.get(ipid_of(&shop)).send().await.unwrap().status(),
        200
    );
    let (status, before) = create(&shop).await;
    assert_eq!(status, 201);

    let folder = documents.to_str().unwrap();
    let said = succeeds(backup(data.path(), &file, &["--json"]));
    let result: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(result["bytes"], fs::metadata(&file).unwrap().len());
    assert_eq!(result["documents"], 1);
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(names(elsewhere.path()), ["copy.redb"]);
    assert!(fails(backup(data.path(), &file, &[])).contains("--replace"));
    let again = succeeds(backup(
        data.path(),
        &file,
        &["--replace", "--slow", "--documents", folder],
    ));
    assert!(again.contains("read again they are the same"), "{again}");
    assert!(
        again.contains(&format!("documents in {folder}: 1")),
        "{again}"
    );
    let checked = succeeds(backup(
        data.path(),
        &file,
        &["--check", "--documents", folder],
    ));
    assert!(checked.contains("the books and 1 document\n"), "{checked}");
    assert!(checked.contains("the copy is of 2026-11-21"), "{checked}");
    // The copy is as small as its rows.
    assert!(
        fs::metadata(&file).unwrap().len() <= fs::metadata(store_in(data.path())).unwrap().len()
    );
    fails(backup(data.path(), elsewhere.path(), &["--replace"]));
    fails(backup(data.path(), &store_in(data.path()), &["--replace"]));
    fails(backup(
        data.path(),
        &elsewhere.path().join("none/copy.redb"),
        &[],
    ));

    // What the backup lacks.
    let (_, later) = create(&shop).await;
    let later = later["data"]["custom_id"].as_str().unwrap().to_string();
    drop(shop);

    let new = elsewhere.path().join("shop");
    let restore = || {
        run(layby(&new)
            .arg("restore")
            .arg(&file)
            .args(["--documents", folder]))
    };
    let said = succeeds(restore());
    assert!(
        said.contains("rows,") && said.contains("policies"),
        "{said}"
    );
    assert!(fails(restore()).contains("replaces no store"));
    let shop = Running::start(&new, &[]);
    let (status, refused) = create(&shop).await;
    assert_eq!((status, refused["code"].as_str()), (503, Some("held")));
    let (_, site) = shop.call("GET", "/api/v1/site", "", None).await;
    assert_eq!(site["data"]["held"], true);
    let ready = client
        .get(format!("{}/health/ready", shop.url))
        .send()
        .await
        .unwrap();
    assert_eq!(ready.status(), 200);
    assert!(ready.text().await.unwrap().contains("held"));
    let uuid = before["data"]["uuid"].as_str().unwrap();
    let token = before["data"]["consumer_token"].as_str().unwrap();
    let path = format!("/api/v2/public/quote/read/{uuid}");
    // A claim after the copy may have ended the token.
    assert_eq!(shop.call("GET", &path, token, None).await.0, 401);
    assert_eq!(
        client.get(ipid_of(&shop)).send().await.unwrap().status(),
        200
    );
    sets_a_password_by_a_mailed_link(&shop, &new, &name).await;

    let dry = succeeds(run(layby(&new).args(["resume", "--dry-run"])));
    assert!(
        dry.contains("not in the store: 0; nothing was changed"),
        "{dry}"
    );
    assert_eq!(create(&shop).await.0, 503);
    let refused = run(layby(&new).args(["mail", "requeue"]));
    assert!(fails(refused).contains("layby resume"));
    let resumed = succeeds(run(layby(&new).arg("resume")));
    assert!(resumed.contains("the shop sells again"), "{resumed}");
    let sold = until(&shop, 201).await;
    let reference = sold["data"]["custom_id"].as_str().unwrap();
    assert!(number(reference) > number(&later), "{reference} {later}");
    let again = succeeds(run(layby(&new).arg("resume")));
    assert!(again.contains("there is nothing to resume"), "{again}");
    let whole = run(layby(&new).arg("check"));
    assert!(whole.status.success(), "{}", text(&whole.stdout));
}

fn ipid_of(shop: &Running) -> String {
    format!("{}/api/v1/documents/breakdown-2026.8-ipid", shop.url)
}

/// Checks that the old password is refused, and that a mailed link sets another.
async fn sets_a_password_by_a_mailed_link(shop: &Running, data: &Path, name: &str) {
    let login = |password: &str| json!({ "username": name, "password": password });
    let old = shop
        .call("POST", "/api/login", "", Some(login(PASSWORD)))
        .await;
    assert_eq!(old.0, 422, "{}", old.1);
    let asked = json!({ "username": name });
    let path = "/api/v1/retrieve-password-request";
    let asked = shop.call("POST", path, "", Some(asked)).await;
    assert_eq!(asked.0, 200, "{}", asked.1);
    let (mut link, before) = (None, "/reset-password?aid=");
    for _ in 0..100 {
        let letters = names(&data.join("mail"));
        link = letters.iter().find_map(|letter| {
            let letter = fs::read_to_string(data.join("mail").join(letter)).unwrap();
            let letter = Letter::read(&letter);
            letter.text.contains(before).then(|| letter.link(before))
        });
        if link.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let link = link.expect("no letter with a link was sent");
    let new = "Winter-in-Leeds-7";
    let body = json!({ "password": new, "password_rpt": new });
    let path = format!("/api/v1/password/{link}/reset");
    let set = shop.call("POST", &path, "", Some(body)).await;
    assert_eq!(set.0, 200, "{}", set.1);
    let logged_in = shop.call("POST", "/api/login", "", Some(login(new))).await;
    assert_eq!(logged_in.0, 200, "{}", logged_in.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_goes_away_ends_its_backup_within_a_second() {
    let data = seeded("200");
    let log = data.path().join("log");
    let mut command = layby(data.path());
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(fs::File::create(&log).unwrap());
    let mut shop = Running::of(command);
    let mut stream = UnixStream::connect(data.path().join("layby.sock")).unwrap();
    stream
        .write_all(b"{\"backup\":{\"is_slow\":true}}\n")
        .unwrap();
    let mut some = [0; 4096];
    stream.read_exact(&mut some).unwrap();
    assert!(
        text(&some).contains("\"moment\":\"2026-11-21"),
        "{}",
        text(&some)
    );
    drop(stream);
    let gone = Instant::now();
    while !fs::read_to_string(&log)
        .unwrap()
        .contains("a backup was broken off")
    {
        assert!(gone.elapsed() < Duration::from_secs(1));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    shop.signal("-TERM");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_in_a_database_is_copied_into_the_same_kind_of_file() {
    let Some(server) = Server::run() else { return };
    let (url, data) = (server.schema().await, tempfile::tempdir().unwrap());
    let over = |words: &[&str]| {
        let mut command = layby(data.path());
        command
            .env("LAYBY_STORE__URL", &url)
            .env("LAYBY_DOCUMENTS__URL", super::documents())
            .args(words);
        run(&mut command)
    };
    succeeds(over(&["seed", "--customers", "2", "--policies", "5"]));
    let file = data.path().join("copy.redb");
    succeeds(over(&["backup", file.to_str().unwrap()]));
    succeeds(backup(data.path(), &file, &["--check"]));
    let new = data.path().join("shop");
    succeeds(run(layby(&new).arg("restore").arg(&file)));
    let store = Store::open(&store_in(&new)).unwrap();
    let held = tables::HELD_SHOP.get(&snapshot(&store), &()).unwrap();
    assert!(held.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_backs_itself_up_each_day_and_keeps_some() {
    let (data, folder) = (seeded("3"), tempfile::tempdir().unwrap());
    let serve = |now: &str| {
        let mut command = layby(data.path());
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("LAYBY_CLOCK", now)
            .env("LAYBY_BACKUP__FOLDER", folder.path())
            .env("LAYBY_BACKUP__KEEP", "2")
            .stderr(std::process::Stdio::null());
        Running::of(command)
    };
    for old in [
        "layby-2026-11-19.redb",
        "layby-2026-11-20.redb",
        "notes.txt",
    ] {
        fs::write(folder.path().join(old), "an older backup").unwrap();
    }
    let _shop = serve("2026-11-21T12:00:00Z");
    let new = folder.path().join("layby-2026-11-21.redb");
    for _ in 0..100 {
        if new.exists() && names(folder.path()).len() == 4 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let expected = [
        "documents",
        "layby-2026-11-20.redb",
        "layby-2026-11-21.redb",
        "notes.txt",
    ];
    assert_eq!(names(folder.path()), expected);
    succeeds(backup(data.path(), &new, &["--check"]));
}

#[test]
fn production_makes_a_new_store_only_where_nothing_says_that_one_was_lost() {
    let folder = tempfile::tempdir().unwrap();
    let settings = write_production(folder.path());
    let data = folder.path().join("data");
    let serve = |data: PathBuf| {
        let mut command = layby(&data);
        command.env_remove("LAYBY_CLOCK");
        let words = ["serve", "--check"];
        fails(run(command.arg("--config").arg(&settings).args(words)))
    };
    assert!(serve(PathBuf::from("data")).contains("server.data must be a whole path"));
    for trace in [
        "documents",
        "mail",
        "layby.redb.schema-1.2026-11-22T12-00-00Z",
    ] {
        fs::create_dir_all(data.join(trace)).unwrap();
        let said = serve(data.clone());
        assert!(
            said.contains(trace) && said.contains("layby restore"),
            "{said}"
        );
        fs::remove_dir_all(&data).unwrap();
    }
}

#[test]
fn two_backups_of_one_name_at_once_are_refused() {
    let (data, elsewhere) = (seeded("3"), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("copy.redb");
    let part = fs::File::create(elsewhere.path().join("copy.redb.part")).unwrap();
    part.lock().unwrap();
    let said = fails(backup(data.path(), &file, &[]));
    assert!(said.contains("in use"), "{said}");
    drop(part);
    succeeds(backup(data.path(), &file, &[]));
}
