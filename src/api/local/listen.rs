//! Being asked. Whoever listens has the store open, so what is left of another shop's socket is
//! nobody's.

use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::ops::ControlFlow;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::UnixListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::order::{Line, NAME};
use super::perform::perform;
use crate::app::App;
use crate::app::books::reconcile;

/// How long who asks may keep us waiting.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest question, bytes: a payout report as JSON, which may be twice as long as it is.
const LONGEST: u64 = 2 * reconcile::LONGEST + (64 << 10);
/// How long nobody is answered after a connection could not be taken.
const PAUSE: Duration = Duration::from_millis(100);

/// Makes the socket in the data folder. Where there can be none the shop does without, and says so in
/// the log.
pub fn listen(folder: &Path) -> Option<Socket> {
    let cant = |error| tracing::warn!(%error, "commands can't ask this shop: it has no socket");
    Socket::bind(folder).map_err(cant).ok()
}

/// Answers what is asked until `stop` is true. What is under way then is broken off.
pub async fn serve(socket: Option<Socket>, app: Arc<App>, mut stop: watch::Receiver<bool>) {
    let Some(socket) = socket else { return };
    let mut under_way = JoinSet::new();
    while !*stop.borrow_and_update() {
        tokio::select! {
            _ = stop.changed() => {}
            Some(_) = under_way.join_next() => {}
            taken = socket.take() => match taken {
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
}

impl Socket {
    /// It takes its place when only its owner can open it.
    fn bind(folder: &Path) -> io::Result<Self> {
        let (path, made) = (folder.join(NAME), folder.join(format!(".{NAME}")));
        match fs::remove_file(&made) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&made)?;
        fs::set_permissions(&made, Permissions::from_mode(0o600))?;
        let owner = fs::metadata(&made)?.uid();
        fs::rename(&made, &path)?;
        Ok(Self {
            listener,
            path,
            owner,
        })
    }

    /// The next who asks. Others than the owner and root are turned away, also those that came
    /// before the socket was closed to them.
    async fn take(&self) -> io::Result<UnixStream> {
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
        let _ = fs::remove_file(&self.path);
    }
}

/// Answers one question. Who asked and went away hears nothing, and nothing more is done for them.
fn answer(app: &App, stream: &UnixStream, stop: &watch::Receiver<bool>) {
    let mut asked = String::new();
    if BufReader::new(stream.take(LONGEST))
        .read_line(&mut asked)
        .is_err()
    {
        return;
    }
    let mut say = |line: Line| {
        if *stop.borrow() || put(stream, &line).is_err() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let ended = match serde_json::from_str(&asked) {
        Ok(order) => perform(app, &order, &mut say),
        Err(_) => Err("the running shop doesn't know this: is it another layby?".to_string()),
    };
    let _ = say(ended.map_or_else(Line::Failed, |()| Line::Done));
}

fn put(mut stream: &UnixStream, line: &Line) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    stream.write_all(&line)
}
