//! Requests of partners, and the click-through addresses they were given.

use crate::store::tables::{self, Click, PartnerRequest};
use crate::store::{StoreError, WriteTx};

/// Writes the first request under a partner's identifier and its own reference.
pub(in crate::app) fn put_request(
    tx: &mut WriteTx<'_>,
    key: &(String, String),
    request: &PartnerRequest,
) -> Result<(), StoreError> {
    tables::PARTNER_REQUESTS.put(tx, key, request)
}

/// Writes a click-through address under the hash of its id.
pub(in crate::app) fn put_click(
    tx: &mut WriteTx<'_>,
    hash: [u8; 32],
    click: &Click,
) -> Result<(), StoreError> {
    tables::CLICKS.put(tx, &hash, click)
}
