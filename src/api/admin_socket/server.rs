//! Executes commands. Shops that share a database may share a data folder. One of these shops listens on
//! the socket. When that shop ends, another shop binds a new socket. A killed shop leaves a socket
//! without a listener.

use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
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

use crate::api::admin_socket::backup;
use crate::api::admin_socket::command::{AdminCommand, AdminReply, NAME, write_line};
use crate::app::accounting::reconcile;
use crate::app::check::{self, Documents};
use crate::app::{App, commands};

/// Longest time for one read from a client, or for one write to a client.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest command, bytes. JSON escapes may double the length of a payout report.
const MAX_COMMAND_BYTES: u64 = 2 * reconcile::MAX_REPORT_BYTES + (64 << 10);
/// How long the shop accepts no connection after accepting a connection failed.
const PAUSE: Duration = Duration::from_millis(100);
/// How often a shop without a socket tries to bind the socket.
const RETRY_DELAY: Duration = Duration::from_secs(10);

/// Binds the socket in the data folder. If that fails, logs a warning and returns `None`: the shop runs
/// without a socket.
pub fn listen(folder: &Path) -> Option<Socket> {
    let cant = |error| tracing::warn!(%error, "commands can't reach this shop: it has no socket");
    Socket::bind(folder).map_err(cant).ok()
}

/// Executes commands until `stop` is true. Without a socket, first tries to bind the socket every
/// ten seconds. After the stop, a check in progress ends at its next line of output. Any other
/// command in progress is completed.
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

/// The socket for admin commands. Dropping this value removes the socket's file, unless another shop has
/// replaced the file.
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
    owner: u32,
    /// Device and inode of the socket's file. They distinguish the file from another shop's socket.
    file: (u64, u64),
}

impl Socket {
    /// Binds the socket under a temporary name, restricts the socket to its owner, and then renames the
    /// socket. So the final name never belongs to a socket that other users may open.
    ///
    /// # Errors
    /// If another shop listens on the socket, or if a call of the file system fails.
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

    /// Accepts the next client. Refuses users other than the owner and root, because another user may
    /// have connected before the permissions were set.
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

/// Locks the data folder until the result is dropped. Waits while another process binds or removes the
/// socket.
fn lock_socket(folder: &Path) -> io::Result<File> {
    let folder = File::open(folder)?;
    folder.lock()?;
    Ok(folder)
}

/// Executes one command. If the client has disconnected, a check stops at its next line of output. Any
/// other command is completed.
fn answer(app: &App, stream: &UnixStream, stop: &watch::Receiver<bool>) {
    let mut request = String::new();
    if BufReader::new(stream.take(MAX_COMMAND_BYTES))
        .read_line(&mut request)
        .is_err()
    {
        return;
    }
    let mut say = |line: AdminReply| {
        if *stop.borrow() || write_line(stream, &line).is_err() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let ended = match serde_json::from_str(&request) {
        Ok(AdminCommand::Check) => check(app, &mut say),
        Ok(AdminCommand::Backup { is_slow }) => backup::send(app, stream, is_slow, stop),
        Ok(AdminCommand::Command(command)) => {
            let (mut lines, now) = (Vec::new(), app.clock.now());
            let done = commands::execute((&app.store, &app.config), &command, now, &mut lines);
            let done = Handle::current().block_on(done);
            app.work_added.notify_one();
            let mut lines = lines.into_iter().map(AdminReply::Text);
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
