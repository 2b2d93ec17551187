//! What was mailed to an address, and addresses that refuse mail.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::store::tables::{self, QuoteMails, RefusedAddress, UnsentLetter};
use crate::store::{StoreError, WriteTx};

/// Writes what is and was mailed about quotes to a mailbox.
pub(in crate::app) fn put_quote_mails(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
    mails: &QuoteMails,
) -> Result<(), StoreError> {
    tables::QUOTE_MAILS.put(tx, mailbox, mails)
}

/// Writes that the mail of an address, given as a user name, was refused for good.
pub(in crate::app) fn put_refused(
    tx: &mut WriteTx<'_>,
    name: &String,
    refused: &RefusedAddress,
) -> Result<(), StoreError> {
    tables::REFUSED_ADDRESSES.put(tx, name, refused)
}

/// Removes what is and was mailed about quotes to a mailbox.
pub(in crate::app) fn delete_quote_mails(tx: &mut WriteTx<'_>, mailbox: &String) {
    tables::QUOTE_MAILS.delete(tx, mailbox);
}

/// Removes the note that the mail of an address, given as a user name, was refused for good.
pub(in crate::app) fn delete_refused(tx: &mut WriteTx<'_>, name: &String) {
    tables::REFUSED_ADDRESSES.delete(tx, name);
}

/// Writes a letter that was given up.
pub(in crate::app) fn put_unsent(
    tx: &mut WriteTx<'_>,
    key: &(DateTime<Utc>, Uuid),
    letter: &UnsentLetter,
) -> Result<(), StoreError> {
    tables::UNSENT_LETTERS.put(tx, key, letter)
}

/// Removes a letter that was given up.
pub(in crate::app) fn delete_unsent(tx: &mut WriteTx<'_>, key: &(DateTime<Utc>, Uuid)) {
    tables::UNSENT_LETTERS.delete(tx, key);
}
