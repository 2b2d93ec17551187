//! `layby mail`.

use clap::{Args, Subcommand};
use uuid::Uuid;

use super::execute::execute;
use super::print::print_line;
use super::setup::{self, CommandError};
use crate::app::commands::StoreCommand;
use crate::app::letters::delivery::mail_server::send_test_letter;
use crate::app::letters::delivery::outbox::MailOrder;
use crate::config::Config;

/// Lists the letters that wait or were given up, retries them, or deletes them. The shop may be running.
#[derive(Args)]
pub(super) struct Mail {
    #[command(subcommand)]
    what: MailAction,
}

#[derive(Subcommand)]
enum MailAction {
    /// Lists the letters that wait, the letters that were given up, and the addresses that refused mail.
    List,
    /// Retries letters at once. Without ids, retries all letters that failed and wait, or were given up.
    Requeue {
        /// The letters' ids, as listed.
        letters: Vec<Uuid>,
    },
    /// Sends one letter with the settings of the mail server, and prints the answer.
    Test {
        /// The address that gets the letter.
        address: String,
    },
    /// Deletes letters, which are then never sent. For an address, deletes the record that the address
    /// refused mail.
    Forget {
        /// Ids of letters, and addresses, as listed.
        #[arg(required = true)]
        what: Vec<String>,
    },
}

impl Mail {
    /// Returns whether the command sends a letter, and so needs the settings of the mail server.
    pub(super) const fn is_test(&self) -> bool {
        matches!(self.what, MailAction::Test { .. })
    }

    pub(super) fn run(self, config: &Config) -> Result<(), CommandError> {
        let mail = match self.what {
            MailAction::Test { address } => return send_test(config, address),
            MailAction::List => MailOrder::List,
            MailAction::Requeue { letters } => MailOrder::Requeue(letters),
            MailAction::Forget { what } => MailOrder::Forget(what),
        };
        execute(config, StoreCommand::Mail(mail), &mut print_line)
    }
}

/// Sends a letter from this process, so that the shop need not run.
fn send_test(config: &Config, address: String) -> Result<(), CommandError> {
    let sent = send_test_letter(config, address, config.clock().now());
    setup::runtime()?.block_on(sent)?;
    print_line(match &config.mail.smtp {
        Some(smtp) => format!("{} accepted the letter", smtp.host),
        None => "mail.smtp.host is empty: the letter is a file in the folder mail of server.data"
            .to_string(),
    });
    Ok(())
}
