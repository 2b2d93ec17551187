//! All tables, with their indexes and owner rows. A table's number is never reused.

mod backups;
mod contents;
mod contracts;
mod letters;
mod limits;
mod partners;
mod policy_news;
mod rescue_cards;
mod work;

pub use backups::{BackupState, GoodBackup, HeldShop};
pub use contents::{Content, Removal};
pub use contracts::{
    POLICIES, POLICY_BY_EXPIRY, POLICY_BY_MAILBOX, POLICY_BY_REFERENCE, POLICY_BY_REGISTRATION,
    POLICY_BY_RENEWAL, POLICY_BY_SCHEDULED_DAY, QUOTE_BY_EXPIRY, QUOTE_BY_OWNER, QUOTE_BY_SAVED,
    QUOTES, REVISIONS, UNCLAIMED_BY_NAME, policy_of, was_bought,
};
pub use letters::{QuoteMails, RefusedAddress, SentAt, WaitingLetter};
pub use limits::{LimitCount, Tries};
pub use partners::{Click, FirstAnswer, PartnerRequest};
pub use policy_news::PolicyNotification;
pub use rescue_cards::{RescueCardKey, StoredRescueCards};
pub use work::{Job, JobFailure, Lease, Notice, SetAside, SetAsideWork, Task};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::table::Index;
use crate::domain::account::{Link, Session, User, username};
use crate::domain::deterministic_id;
use crate::domain::document::Document;
use crate::domain::money::ledger::Entry;
use crate::domain::payment::dispute::Dispute;
use crate::domain::payment::refund::Refund;
use crate::domain::payment::sandbox::SandboxPayment;
use crate::domain::payment::settlement::SettlementLine;
use crate::domain::payment::{Instrument, Payment, PaymentSource};
use crate::domain::policy::adjustment::Adjustment;
use crate::domain::policy::cancellation::ScheduledCancellation;
use crate::domain::policy::plan::PaymentPlan;
use crate::domain::quote::lookup::LookupResult;
use crate::store::{StoreDescription, Table};

/// Has one row: the store's schema, and the progress of an upgrade.
pub const DESCRIPTION: Table<(), StoreDescription> = Table::new(0, "description", 1);
/// Counters by name. They never decrease.
pub const COUNTERS: Table<String, u32> = Table::new(1, "counters", 1);
/// Secrets of this store, by name.
pub const SECRETS: Table<String, String> = Table::new(2, "secrets", 1);

/// Product files as loaded, by the SHA-256 of a product's files, in hexadecimal.
pub const PRODUCTS: Table<String, StoredProduct> =
    Table::new(5, "products", 1).indexed(|rows, hash, file| {
        let version = (file.identifier.clone(), file.version.clone());
        rows.add(&PRODUCT_VERSIONS, &version, hash)
    });
/// Hash of a product's files by identifier and version.
pub const PRODUCT_VERSIONS: Index<(String, String), String> = Table::new(6, "product_versions", 1);

/// Vehicles found by look-ups, by the look-up's id. The uuids sort by creation time.
pub const LOOKUPS: Table<Uuid, LookupResult> = Table::new(90, "lookups", 1);
/// Letters about quotes, sent and waiting, by mailbox. Addresses that differ only in a `+tag` share a
/// mailbox.
pub const QUOTE_MAILS: Table<String, QuoteMails> = Table::new(15, "quote_mails", 1);

/// Each partner's first request with a reference, by the partner and the reference.
pub const PARTNER_REQUESTS: Table<(String, String), PartnerRequest> =
    Table::new(16, "partner_requests", 1)
        .indexed(|rows, key, request: &PartnerRequest| {
            rows.add(&PARTNER_REQUEST_BY_QUOTE, &request.quote, key)
        })
        .belongs_to(|_, request| QUOTES.key(&request.quote));
/// Click-through addresses by the hash of their id.
pub const CLICKS: Table<[u8; 32], Click> = Table::new(17, "clicks", 1)
    .indexed(|rows, hash, click: &Click| rows.add(&CLICK_BY_QUOTE, &(click.quote, *hash), &()))
    .belongs_to(|_, click| QUOTES.key(&click.quote));
/// The key of the partner request that created a quote. The uuids sort by creation time.
pub const PARTNER_REQUEST_BY_QUOTE: Index<Uuid, (String, String)> =
    Table::new(8, "partner_request_by_quote", 1);
/// A quote's click-through addresses.
pub const CLICK_BY_QUOTE: Index<(Uuid, [u8; 32])> = Table::new(9, "click_by_quote", 1);

/// Keys of rescue cards on devices, by policy.
pub const RESCUE_CARDS: Table<Uuid, StoredRescueCards> =
    Table::new(81, "rescue_cards", 1).belongs_to(|policy, _| POLICIES.key(policy));

/// Adjustments of policies, also those that were only offered.
pub const ADJUSTMENTS: Table<Uuid, Adjustment> = Table::new(22, "adjustments", 1)
    .indexed(|rows, id, row: &Adjustment| rows.add(&ADJUSTMENT_BY_POLICY, &(row.policy, *id), &()))
    .belongs_to(|_, row| POLICIES.key(&row.policy));
/// A policy's adjustments, oldest first.
pub const ADJUSTMENT_BY_POLICY: Index<(Uuid, Uuid)> = Table::new(23, "adjustment_by_policy", 1);
/// Cancellations for a later day.
pub const SCHEDULED_CANCELLATIONS: Table<Uuid, ScheduledCancellation> =
    Table::new(26, "scheduled_cancellations", 1)
        .indexed(|rows, id, row: &ScheduledCancellation| {
            rows.add(&SCHEDULED_CANCELLATION_BY_POLICY, &(row.policy, *id), &())
        })
        .belongs_to(|_, row| POLICIES.key(&row.policy));
/// A policy's scheduled cancellations, oldest first.
pub const SCHEDULED_CANCELLATION_BY_POLICY: Index<(Uuid, Uuid)> =
    Table::new(27, "scheduled_cancellation_by_policy", 1);

/// Plans of policies that are paid monthly, by the policy's uuid.
pub const PLANS: Table<Uuid, PaymentPlan> = Table::new(83, "plans", 1)
    .indexed(|rows, policy, plan: &PaymentPlan| match plan.next_day() {
        Some(day) => rows.add(&PLAN_BY_DAY, &(day, *policy), &()),
        None => Ok(()),
    })
    .belongs_to(|policy, _| POLICIES.key(policy));
/// Plans by the next London day on which they need a charge, a letter or their end.
pub const PLAN_BY_DAY: Index<(NaiveDate, Uuid)> = Table::new(84, "plan_by_day", 1);

/// Payment attempts.
pub const PAYMENTS: Table<Uuid, Payment> = Table::new(30, "payments", 1)
    .indexed(|rows, id, payment: &Payment| {
        // A bank transfer has a person's texts, and two payments may have the same.
        let is_transfer = payment.by == PaymentSource::Transfer;
        for reference in payment.references.values().filter(|_| !is_transfer) {
            let key = (payment.provider.clone(), reference.clone());
            rows.add(&PAYMENT_BY_REFERENCE, &key, id)?;
        }
        rows.add(&PAYMENT_BY_QUOTE, &(payment.quote, *id), &())
    })
    .belongs_to(|_, payment| QUOTES.key(&payment.quote));
/// Cards that gateways keep.
pub const INSTRUMENTS: Table<Uuid, Instrument> = Table::new(82, "instruments", 1)
    .indexed(|rows, id, card: &Instrument| {
        for token in card.card.tokens.0.values() {
            let key = (token_key(&card.gateway, token), *id);
            rows.add(&INSTRUMENT_BY_TOKEN, &key, &())?;
        }
        Ok(())
    })
    .belongs_to(|_, row| PAYMENTS.key(&row.payment));
/// Cards by their [`token_key`].
pub const INSTRUMENT_BY_TOKEN: Index<(String, Uuid)> = Table::new(95, "instrument_by_token", 1);
/// A quote's payment attempts.
pub const PAYMENT_BY_QUOTE: Index<(Uuid, Uuid)> = Table::new(31, "payment_by_quote", 1);
/// Payment attempts by gateway and the gateway's reference.
pub const PAYMENT_BY_REFERENCE: Index<(String, String), Uuid> =
    Table::new(36, "payment_by_reference", 1);
/// The sandbox gateway's own payments, by our payment's id.
pub const SANDBOX: Table<Uuid, SandboxPayment> =
    Table::new(32, "sandbox", 1).belongs_to(|payment, _| PAYMENTS.key(payment));
/// A policy's ledger entries, numbered from 1. Append-only.
pub const LEDGER: Table<(Uuid, u32), Entry> =
    Table::new(33, "ledger", 1).belongs_to(|(policy, _), _| QUOTES.key(policy));
pub const REFUNDS: Table<Uuid, Refund> = Table::new(34, "refunds", 1)
    .indexed(|rows, id, refund: &Refund| rows.add(&REFUND_BY_POLICY, &(refund.policy, *id), &()))
    .belongs_to(|_, refund| PAYMENTS.key(&refund.payment));
/// A policy's refunds.
pub const REFUND_BY_POLICY: Index<(Uuid, Uuid)> = Table::new(35, "refund_by_policy", 1);
/// Disputes of payments.
pub const DISPUTES: Table<Uuid, Dispute> = Table::new(37, "disputes", 1)
    .indexed(|rows, id, dispute: &Dispute| {
        rows.add(&DISPUTE_BY_POLICY, &(dispute.policy, *id), &())
    })
    .belongs_to(|_, dispute| PAYMENTS.key(&dispute.payment));
/// A policy's disputes.
pub const DISPUTE_BY_POLICY: Index<(Uuid, Uuid)> = Table::new(38, "dispute_by_policy", 1);
/// Lines of the gateways' payout reports; see [`SettlementLine::key_of`].
pub const SETTLEMENT_LINES: Table<[u8; 32], SettlementLine> = Table::new(39, "settlement_lines", 1)
    .indexed(|rows, key, line| match line.policy {
        Some(policy) => rows.add(&SETTLEMENT_LINE_BY_POLICY, &(policy, *key), &()),
        None => Ok(()),
    });
pub const SETTLEMENT_LINE_BY_POLICY: Index<(Uuid, [u8; 32])> =
    Table::new(40, "settlement_line_by_policy", 1);
/// Entries of the shop's own ledger, outside any policy, numbered from 1. Append-only.
pub const SHOP_LEDGER: Table<u32, Entry> = Table::new(41, "shop_ledger", 1);

/// Registered users.
pub const USERS: Table<Uuid, User> =
    Table::new(42, "users", 1).indexed(|rows, id, user| match &user.profile.email_primary {
        Some(address) => rows.add(&USER_BY_NAME, &username(address), id),
        None => Ok(()),
    });
/// Users by user name, in lower case.
pub const USER_BY_NAME: Index<String, Uuid> = Table::new(43, "user_by_name", 1);
/// Sessions by the hash of their token.
pub const SESSIONS: Table<[u8; 32], Session> = Table::new(44, "sessions", 1)
    .indexed(|rows, hash, session: &Session| {
        rows.add(&SESSION_BY_USER, &(session.user, *hash), &())?;
        rows.add(&SESSION_BY_END, &(session.expires, *hash), &())
    })
    .belongs_to(|_, session| USERS.key(&session.user));
/// A user's sessions.
pub const SESSION_BY_USER: Index<(Uuid, [u8; 32])> = Table::new(45, "session_by_user", 1);
/// Sessions by their end, for the removal of expired ones.
pub const SESSION_BY_END: Index<(DateTime<Utc>, [u8; 32])> = Table::new(46, "session_by_end", 1);
/// Users' mailed links by the hash of their secret.
pub const LINKS: Table<[u8; 32], Link> = Table::new(47, "links", 1)
    .indexed(|rows, hash, link: &Link| {
        rows.add(&LINK_BY_USER, &(link.user, *hash), &())?;
        rows.add(&LINK_BY_END, &(link.expires, *hash), &())
    })
    .belongs_to(|_, link| USERS.key(&link.user));
/// A user's mailed links.
pub const LINK_BY_USER: Index<(Uuid, [u8; 32])> = Table::new(48, "link_by_user", 1);
/// Mailed links by their end, for the removal of expired ones.
pub const LINK_BY_END: Index<(DateTime<Utc>, [u8; 32])> = Table::new(49, "link_by_end", 1);

/// First answers to calls with an `Idempotency-Key`.
pub const ANSWERED: Table<[u8; 32], Answered> = Table::new(50, "answered", 1)
    .indexed(|rows, call, answered| rows.add(&ANSWERED_BY_TIME, &(answered.at, *call), &()));
/// First answers by time, for the removal of old ones.
pub const ANSWERED_BY_TIME: Index<(DateTime<Utc>, [u8; 32])> =
    Table::new(51, "answered_by_time", 1);

/// Addresses whose mail was refused permanently.
pub const REFUSED_ADDRESSES: Table<String, RefusedAddress> = Table::new(55, "refused_addresses", 1);

/// Jobs by the time they are due.
pub const JOBS: Table<(DateTime<Utc>, Uuid), Job> = Table::new(60, "jobs", 1);
/// Charges of instalments, by the time they are due. A day with many of them delays no other payment.
pub const COLLECTIONS: Table<(DateTime<Utc>, Uuid), Job> = Table::new(85, "collections", 1);
/// Letters about accounts, by the time they are due.
///
/// Letters have separate queues, so that a slow mail server doesn't delay payments. Letters that anybody can
/// trigger then don't delay letters that a customer waits for.
pub const ACCOUNT_LETTERS: Table<(DateTime<Utc>, Uuid), Job> = Table::new(61, "account_letters", 1);
/// Letters about policies, by the time they are due.
pub const POLICY_LETTERS: Table<(DateTime<Utc>, Uuid), Job> = Table::new(62, "policy_letters", 1);
/// Letters about quotes, by the time they are due.
pub const QUOTE_LETTERS: Table<(DateTime<Utc>, Uuid), Job> = Table::new(63, "quote_letters", 1);

/// Jobs that were set aside, by the time when they were.
pub const SET_ASIDE: Table<(DateTime<Utc>, Uuid), SetAside> = Table::new(64, "set_aside", 1);

/// The day of the last complete daily run.
pub const LAST_DAILY_RUN: Table<(), NaiveDate> = Table::new(65, "last_daily_run", 1);
/// Time of the newest write to a store in a file, accurate to a minute. A clock that contradicts this
/// time is wrong.
pub const NEWEST_WRITE: Table<(), DateTime<Utc>> = Table::new(69, "newest_write", 1);
/// What the store knows of its backups.
pub const BACKUP_STATE: Table<(), BackupState> = Table::new(86, "backup_state", 1);
/// Has a row while the shop is held: after a restore, until `layby resume`.
pub const HELD_SHOP: Table<(), HeldShop> = Table::new(87, "held_shop", 1);
/// Leases of tasks that only one node may run at a time, by name. A job's row contains its own lease.
pub const LEASES: Table<String, Lease> = Table::new(67, "leases", 1);
/// Counts against limits that nodes share, by the hash of limit and client.
pub const LIMIT_COUNTS: Table<[u8; 32], LimitCount> = Table::new(68, "limit_counts", 1);
/// Documents of policies, and of quotes before they are bought.
pub const DOCUMENTS: Table<Uuid, Document> = Table::new(70, "documents", 1)
    .indexed(|rows, id, document: &Document| {
        rows.add(&DOCUMENT_BY_POLICY, &(document.policy, *id), &())
    })
    .belongs_to(|_, document| QUOTES.key(&document.policy));
/// A policy's documents.
pub const DOCUMENT_BY_POLICY: Index<(Uuid, Uuid)> = Table::new(71, "document_by_policy", 1);
/// Blobs of documents.
pub const DOCUMENT_CONTENTS: Table<Uuid, Content> = Table::new(75, "document_contents", 1)
    .indexed(|rows, id, content: &Content| {
        rows.add(&DOCUMENT_BY_CONTENT, &(content.sha256.clone(), *id), &())
    })
    .belongs_to(|id, _| DOCUMENTS.key(id));
/// Blobs of each product version's documents, by the hash of the version's files and the document's name.
pub const PRODUCT_CONTENTS: Table<(String, String), Content> =
    Table::new(76, "product_contents", 1)
        .indexed(
            |rows, (hash, document): &(String, String), content: &Content| {
                let id = deterministic_id::id_from_parts(&[hash.as_bytes(), document.as_bytes()]);
                rows.add(&DOCUMENT_BY_CONTENT, &(content.sha256.clone(), id), &())
            },
        )
        .belongs_to(|(hash, _), _| PRODUCTS.key(hash));
/// Documents that use a blob, by the blob's SHA-256. A document of a product has a derived id.
pub const DOCUMENT_BY_CONTENT: Index<(String, Uuid)> = Table::new(77, "document_by_content", 1);
/// Blobs that are being removed from the blob store, or were removed recently.
pub const REMOVED_CONTENTS: Table<String, Removal> = Table::new(78, "removed_contents", 1);
/// Documents to render, by the time they are due.
pub const DOCUMENTS_TO_MAKE: Table<(DateTime<Utc>, Uuid), Job> =
    Table::new(74, "documents_to_make", 1);

/// A product file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredProduct {
    pub identifier: String,
    pub version: String,
    /// File's name, for messages.
    pub file: String,
    pub text: String,
    /// Name and text of the product's documents file.
    pub documents_file: Option<(String, String)>,
}

/// The first answer to a call that may be repeated.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answered {
    /// SHA-256 of the request's body, in hexadecimal.
    pub body: String,
    /// The answer, without tokens.
    pub answer: serde_json::Value,
    /// Time of the first answer.
    #[serde(with = "chrono::serde::ts_microseconds")]
    pub at: DateTime<Utc>,
}

/// A table of jobs.
pub type Work = Table<(DateTime<Utc>, Uuid), Job>;

/// Returns the key of a gateway's token in [`INSTRUMENT_BY_TOKEN`].
#[must_use]
pub fn token_key(gateway: &str, token: &str) -> String {
    format!("{gateway} {token}")
}
