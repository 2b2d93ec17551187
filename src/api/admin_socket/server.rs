//! Being asked. Shops over a database may share a data folder: one of them is asked, and another takes its
//! place when it has ended. A socket at which nobody listens is left of a shop that was killed.

use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::UnixListener;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::api::admin_socket::command::{AdminCommand, AdminReply, NAME};
use crate::app::accounting::reconcile;
use crate::app::check::{self, Documents};
use crate::app::{App, commands};

/// How long who asks may keep us waiting.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest question, bytes: a payout report as JSON, which may be twice as long as it is.
const MAX_COMMAND_BYTES: u64 = 2 * reconcile::MAX_REPORT_BYTES + (64 << 10);
/// How long nobody is answered after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);
/// How often a shop without a socket tries to have one.
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// Makes the socket in the data folder. Where there can be none the shop does without, and says so in
/// the log.
pub fn listen(folder: &Path) -> Option<Socket> {
    let cant = |error| tracing::warn!(%error, "commands can't ask this shop: it has no socket");
    Socket::bind(folder).map_err(cant).ok()
}

/// Answers what is asked until `stop` is true. What is under way then is broken off.
pub async fn serve(mut socket: Option<Socket>, app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let socket = loop {
        if *stop.borrow_and_update() {
            return;
        }
        if let Some(socket) = socket {
            break socket;
        }
        tokio::select! {
            _ = stop.changed() => {}
            () = tokio::time::sleep(RETRY_DELAY) => {}
        }
        socket = Socket::bind(&app.config.server.data).ok();
    };
    let mut under_way = JoinSet::new();
    while !*stop.borrow_and_update() {
        tokio::select! {
            _ = stop.changed() => {}
            Some(_) = under_way.join_next() => {}
            taken = socket.accept() => match taken {
                Ok(stream) => {
                    let (app, stop) = (app.clone(), stop.clone());
                    under_way.spawn_blocking(move || answer(&app, &stream, &stop));
                }
                Err(error) => {
                    tracing::debug!(%error, "a question could not be taken");
                    tokio::time::sleep(PAUSE).await;
                }
            },
        }
    }
    drop(socket);
    while under_way.join_next().await.is_some() {}
}

/// The socket, which is gone when this is dropped.
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
    owner: u32,
    /// Device and number of the file, which tell it from another shop's.
    file: (u64, u64),
}

impl Socket {
    /// It takes its place when only its owner can open it, and no other shop listens there.
    fn bind(folder: &Path) -> io::Result<Self> {
        let _turn = lock_socket(folder)?;
        let (path, made) = (folder.join(NAME), folder.join(format!(".{NAME}")));
        if UnixStream::connect(&path).is_ok() {
            return Err(io::Error::new(
                ErrorKind::AddrInUse,
                "another shop of this data folder has it",
            ));
        }
        match fs::remove_file(&made) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&made)?;
        fs::set_permissions(&made, Permissions::from_mode(0o600))?;
        let meta = fs::metadata(&made)?;
        fs::rename(&made, &path)?;
        Ok(Self {
            listener,
            path,
            owner: meta.uid(),
            file: (meta.dev(), meta.ino()),
        })
    }

    /// The next who asks. Others than the owner and root are turned away, also those that came
    /// before the socket was closed to them.
    async fn accept(&self) -> io::Result<UnixStream> {
        let (stream, _) = self.listener.accept().await?;
        let user = stream.peer_cred()?.uid();
        if user != self.owner && user != 0 {
            return Err(ErrorKind::PermissionDenied.into());
        }
        let stream = stream.into_std()?;
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(stream)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _turn = self.path.parent().map(lock_socket);
        let is_own = fs::symlink_metadata(&self.path)
            .is_ok_and(|meta| (meta.dev(), meta.ino()) == self.file);
        if is_own {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Waits until no other process takes or leaves the socket's place, and keeps it so until this is dropped.
fn lock_socket(folder: &Path) -> io::Result<File> {
    let folder = File::open(folder)?;
    folder.lock()?;
    Ok(folder)
}

/// Answers one question. Who asked and went away hears nothing, and nothing more is done for them.
fn answer(app: &App, stream: &UnixStream, stop: &watch::Receiver<bool>) {
    let mut request = String::new();
    if BufReader::new(stream.take(MAX_COMMAND_BYTES))
        .read_line(&mut request)
        .is_err()
    {
        return;
    }
    let mut say = |line: AdminReply| {
        if *stop.borrow() || put(stream, &line).is_err() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let ended = match serde_json::from_str(&request) {
        Ok(AdminCommand::Check) => check(app, &mut say),
        Ok(AdminCommand::Command(command)) => {
            let (mut lines, now) = (Vec::new(), app.clock.now());
            let done = commands::execute(&app.store, &command, now, &mut lines);
            let done = Handle::current().block_on(done);
            app.work_added.notify_one();
            let mut lines = lines.into_iter().map(AdminReply::Says);
            let _ = lines.try_for_each(&mut say);
            done
        }
        Err(_) => Err("the running shop doesn't know this: is it another layby?".to_string()),
    };
    let _ = say(ended.map_or_else(AdminReply::Failed, |()| AdminReply::Done));
}

fn check(app: &App, say: &mut dyn FnMut(AdminReply) -> ControlFlow<()>) -> Result<(), String> {
    let documents = Some(Documents {
        contents: &app.contents,
        runtime: &Handle::current(),
    });
    let checked = check::check_running(&app.store, documents, &mut |report| say(report.into()));
    checked.map_err(|error| error.to_string())
}

fn put(mut stream: &UnixStream, line: &AdminReply) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    stream.write_all(&line)
}
