//! The only code that puts or deletes a row, but for the store's own row and for upgrades. Each
//! function keeps every index of the row it writes, so that nobody who changes a row can forget
//! one; `tests/it/architecture.rs` fails on a `put` or `delete` of a table anywhere else. Anybody
//! may read a table.
//!
//! One file for each family of rows:
//!
//! | file | tables |
//! |---|---|
//! | `quotes` | quotes, revisions; `contract_indexes` keeps their indexes together with a policy's |
//! | `policies` | policies |
//! | `adjustments`, `later_cancellations`, `payments`, `refunds`, `disputes`, `ledger` | what happens to a policy and its money |
//! | `lookups` | vehicles that were looked up |
//! | `rescue_cards` | the cards that devices keep of a policy |
//! | `settlement` | what gateways pay out |
//! | `users`, `sessions`, `links` | accounts |
//! | `documents`, `contents`, `products` | documents of policies, where their contents are, product files |
//! | `partners`, `mails`, `idempotency` | what partners sent, what was mailed, first answers |
//! | `jobs`, `counters`, `secrets`, `last_round`, `leases`, `limit_counts` | work that waits, and what the shop keeps of itself |
//! | `sandbox` | the sandbox gateway's own books |
//!
//! `check` compares rows with their indexes, for `layby check`, by means of `compare`.

pub(super) mod adjustments;
pub(super) mod check;
pub(super) mod compare;
pub(super) mod contents;
mod contract_indexes;
pub(super) mod counters;
pub(super) mod disputes;
pub(super) mod documents;
pub(super) mod idempotency;
pub(super) mod jobs;
pub(super) mod last_round;
pub(super) mod later_cancellations;
pub(super) mod leases;
pub(super) mod ledger;
pub(super) mod limit_counts;
pub(super) mod links;
pub(super) mod lookups;
pub(super) mod mails;
pub(super) mod partners;
pub(super) mod payments;
pub(super) mod policies;
pub(super) mod products;
pub(super) mod quotes;
pub(super) mod refunds;
pub(super) mod rescue_cards;
pub(super) mod sandbox;
pub(super) mod secrets;
pub(super) mod sessions;
pub(super) mod settlement;
pub(super) mod users;
