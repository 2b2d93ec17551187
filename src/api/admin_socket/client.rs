//! Sends commands to a running shop.

use std::io::{BufRead, BufReader, ErrorKind};
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::api::admin_socket::command::{AdminCommand, AdminReply, AskError, NAME, write_line};

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
    let Some(stream) = connect(folder, order)? else {
        return Ok(false);
    };
    let mut from = BufReader::new(stream);
    loop {
        match next_line(&mut from)? {
            AdminReply::Done => return Ok(true),
            AdminReply::Failed(why) => return Err(AskError::Failed(why)),
            line => on_reply(line),
        }
    }
}

/// Returns whether a shop listens on the socket of this data folder, or another user's shop may.
#[must_use]
pub fn is_served(folder: &Path) -> bool {
    match UnixStream::connect(folder.join(NAME)) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::PermissionDenied,
    }
}

/// Sends a command, and returns the connection. Returns `None` if there is no socket that accepts
/// connections.
pub(super) fn connect(folder: &Path, order: &AdminCommand) -> Result<Option<UnixStream>, AskError> {
    match UnixStream::connect(folder.join(NAME)) {
        Ok(stream) => {
            write_line(&stream, order).map_err(|_| AskError::BrokenOff)?;
            Ok(Some(stream))
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(AskError::NotAllowed),
        // The folder has no socket, or a killed shop left the socket.
        Err(_) => Ok(None),
    }
}

/// Reads the next line of the reply.
pub(super) fn next_line(from: &mut impl BufRead) -> Result<AdminReply, AskError> {
    let mut line = String::new();
    from.read_line(&mut line).map_err(|_| AskError::BrokenOff)?;
    serde_json::from_str(&line).map_err(|_| AskError::BrokenOff)
}
