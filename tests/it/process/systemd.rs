//! What a service manager sees: readiness, the watchdog, permissions of files, the limit of open files, and the unit.

use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Running, layby, run, text};

/// Returns the next message to systemd.
fn received(socket: &UnixDatagram) -> String {
    let mut bytes = [0; 100];
    let size = socket.recv(&mut bytes).expect("systemd is told nothing");
    text(&bytes[..size])
}

#[tokio::test(flavor = "multi_thread")]
async fn systemd_is_told_the_state_and_the_process_keeps_its_files_to_itself() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "umask 0; ulimit -Sn 200; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_layby"),
        "serve",
    ]);
    command
        .env("NOTIFY_SOCKET", &path)
        .env("WATCHDOG_USEC", "400000")
        .env("LAYBY_SERVER__LISTEN", "127.0.0.1:0")
        .env("LAYBY_SERVER__DATA", data.path())
        .stderr(Stdio::null());
    let mut shop = Running::of(command);
    assert_eq!(received(&socket), "READY=1");
    assert_eq!(received(&socket), "WATCHDOG=1");
    assert_eq!(received(&socket), "WATCHDOG=1");
    let about = |file: &str, name: &str| {
        let text = std::fs::read_to_string(format!("/proc/{}/{file}", shop.child.id())).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap()
            .split_whitespace()
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(about("status", "Umask:"), ["0077"]);
    let files = about("limits", "Max open files");
    assert_eq!(files[0], files[1], "{files:?}");
    shop.signal("-TERM");
    let mut state = received(&socket);
    while state == "WATCHDOG=1" {
        state = received(&socket);
    }
    assert_eq!(state, "STOPPING=1");
    assert_eq!(shop.child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_unit_is_confined() {
    let unit = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/layby.service");
    let mut judge = Command::new("systemd-analyze");
    // The threshold is ten times the exposure.
    let judged = judge
        .args(["security", "--offline=true", "--threshold=20", unit])
        .output();
    let Ok(judged) = judged else {
        eprintln!("systemd-analyze is not installed");
        return;
    };
    assert!(judged.status.success(), "{}", text(&judged.stdout));
}

#[test]
fn init_writes_settings_and_places_for_secrets_once() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("layby.toml");
    let flags = [
        "--name",
        "Northern \"Rescue\"",
        "--url",
        "https://cover.example.org",
        "--email",
        "help@northern.co.uk",
        "--phone",
        "0113 496 0123",
        "--mail-server",
        "smtp.northern.co.uk",
    ];
    let init = |more: &[&str]| {
        let mut command = layby(folder.path());
        command
            .args(["init", "--output"])
            .arg(&output)
            .args(flags)
            .args(more);
        run(command.stdin(Stdio::null()))
    };
    let missing = init(&[]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        text(&missing.stderr).contains("--gateway is missing"),
        "{}",
        text(&missing.stderr)
    );
    assert!(!output.exists());

    let made = init(&["--gateway", "stripe"]);
    let said = text(&made.stdout);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let key = folder.path().join("secrets/payments.stripe.secret_key");
    assert!(
        said.contains(&format!("put the secret into {}", key.display())),
        "{said}"
    );
    assert!(said.contains("holds no secret"), "{said}");
    let again = init(&["--gateway", "stripe"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("exists, and is not overwritten"));

    // With the secrets, only the shop's own texts are left.
    std::fs::write(&key, "sk_live_0000\n").unwrap();
    std::fs::write(
        key.with_file_name("payments.stripe.webhook_secrets"),
        "whsec_0000\n",
    )
    .unwrap();
    let mut check = layby(folder.path());
    check.env_remove("LAYBY_CLOCK");
    let checked = run(check
        .arg("--config")
        .arg(&output)
        .args(["serve", "--check"]));
    let left = text(&checked.stderr);
    assert!(
        left.contains("these are still samples: site.assistance_phone, site.footer"),
        "{left}"
    );
}
