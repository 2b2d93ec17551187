//! Sends commands to a running shop.

use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::api::admin_socket::command::{AdminCommand, AdminReply, AskError, NAME};

/// Sends a command to the shop that listens on the socket of this data folder. Passes each line of the
/// reply, except the last, to `on_reply`. Returns `false` if there is no socket that accepts connections.
///
/// # Errors
/// If another user owns the socket, if the command fails, or if the reply is incomplete or invalid.
pub fn ask(
    folder: &Path,
    order: &AdminCommand,
    on_reply: &mut dyn FnMut(AdminReply),
) -> Result<bool, AskError> {
    let stream = match UnixStream::connect(folder.join(NAME)) {
        Ok(stream) => stream,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            return Err(AskError::NotAllowed);
        }
        // The folder has no socket, or a killed shop left the socket.
        Err(_) => return Ok(false),
    };
    put(&stream, order).map_err(|_| AskError::BrokenOff)?;
    for line in BufReader::new(stream).lines() {
        let line = line.map_err(|_| AskError::BrokenOff)?;
        match serde_json::from_str(&line) {
            Ok(AdminReply::Done) => return Ok(true),
            Ok(AdminReply::Failed(why)) => return Err(AskError::Failed(why)),
            Ok(line) => on_reply(line),
            Err(_) => break,
        }
    }
    Err(AskError::BrokenOff)
}

/// Returns whether a shop listens on the socket of this data folder.
#[must_use]
pub fn is_listening(folder: &Path) -> bool {
    UnixStream::connect(folder.join(NAME)).is_ok()
}

fn put(mut stream: &UnixStream, order: &AdminCommand) -> io::Result<()> {
    let mut request = serde_json::to_vec(order)?;
    request.push(b'\n');
    stream.write_all(&request)
}
