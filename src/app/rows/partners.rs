//! Requests of partners, and the click-through addresses they were given.

use uuid::Uuid;

use crate::store::tables::{self, Click, PartnerRequest};
use crate::store::{StoreError, WriteTx};

/// Writes the first request under a partner's identifier and its own reference. It never changes.
pub(in crate::app) fn put_request(
    tx: &mut WriteTx<'_>,
    key: &(String, String),
    request: &PartnerRequest,
) -> Result<(), StoreError> {
    tables::PARTNER_REQUESTS.put(tx, key, request)?;
    tables::PARTNER_REQUEST_BY_QUOTE.put(tx, &request.quote, key)
}

/// Removes the request that made a quote.
pub(in crate::app) fn delete_request_of(
    tx: &mut WriteTx<'_>,
    quote: Uuid,
) -> Result<(), StoreError> {
    if let Some(key) = tables::PARTNER_REQUEST_BY_QUOTE.get(tx, &quote)? {
        tables::PARTNER_REQUESTS.delete(tx, &key);
        tables::PARTNER_REQUEST_BY_QUOTE.delete(tx, &quote);
    }
    Ok(())
}

/// Writes a click-through address under the hash of its id. It always leads to the same quote, so its
/// index row stays right.
pub(in crate::app) fn put_click(
    tx: &mut WriteTx<'_>,
    hash: [u8; 32],
    click: &Click,
) -> Result<(), StoreError> {
    tables::CLICKS.put(tx, &hash, click)?;
    tables::CLICK_BY_QUOTE.put(tx, &(click.quote, hash), &())
}

/// Removes a click-through address of a quote.
pub(in crate::app) fn delete_click(tx: &mut WriteTx<'_>, key: &(Uuid, [u8; 32])) {
    tables::CLICKS.delete(tx, &key.1);
    tables::CLICK_BY_QUOTE.delete(tx, key);
}
