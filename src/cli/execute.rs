//! Executes a command in a running shop, or on the store of a stopped shop.

use super::setup::{self, CommandError};
use crate::api::admin_socket::{self, AdminCommand, AdminReply};
use crate::app::commands::{self, StoreCommand};
use crate::config::Config;

/// Sends `command` to the shop that runs on the data folder. If no shop runs there, opens the store and
/// executes the command. Passes each line of output to `print`, even if the command fails.
pub(super) fn execute(
    config: &Config,
    command: StoreCommand,
    print: &mut dyn FnMut(String),
) -> Result<(), CommandError> {
    setup::require_store(config)?;
    let order = AdminCommand::Command(command.clone());
    let is_done = admin_socket::ask(&config.server.data, &order, &mut |line| {
        if let AdminReply::Text(text) = line {
            print(text);
        }
    })?;
    if is_done {
        return Ok(());
    }
    let (store, now) = (setup::existing_store(config)?, config.clock().now());
    let mut lines = Vec::new();
    let done = commands::execute((&store, config), &command, now, &mut lines);
    let done = setup::runtime()?.block_on(done);
    lines.into_iter().for_each(print);
    Ok(done?)
}
