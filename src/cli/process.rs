//! This process: the permissions of its files, its limit of open files, and what it tells systemd.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit, umask};

/// The variable in which systemd names the socket that it listens on.
const NOTIFY_SOCKET: &str = "NOTIFY_SOCKET";
/// The variable with the time in microseconds after which systemd kills a service that is silent.
const WATCHDOG: &str = "WATCHDOG_USEC";

/// Lets only this process's user read the files that it makes. Raises the soft limit of open files to the hard
/// limit.
pub(super) fn prepare() {
    umask(Mode::RWXG | Mode::RWXO);
    let files = getrlimit(Resource::Nofile);
    // If the system refuses, the soft limit stays.
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: files.maximum,
            ..files
        },
    );
}

/// Tells systemd a state, such as `READY=1`. Does nothing if systemd did not start this process.
pub(super) fn notify(state: &str) {
    let Some(name) = std::env::var_os(NOTIFY_SOCKET) else {
        return;
    };
    let address = match name.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
        _ => SocketAddr::from_pathname(&name),
    };
    let sent = address
        .and_then(|address| UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address));
    if let Err(error) = sent {
        tracing::warn!(%error, state, "systemd can't be told the state");
    }
}

/// Tells systemd twice in each watchdog's time that this process works. Does nothing without a watchdog.
pub(super) async fn answer_watchdog() {
    let time = std::env::var(WATCHDOG).ok();
    let Some(time) = time.and_then(|time| time.parse::<u64>().ok()) else {
        return;
    };
    let mut round = tokio::time::interval(Duration::from_micros(time.max(2) / 2));
    loop {
        round.tick().await;
        notify("WATCHDOG=1");
    }
}
