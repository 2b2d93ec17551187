//! Payments: starts an attempt at a gateway, queries the attempt's status, handles callbacks,
//! records the outcome, and makes refunds.

mod balances;
mod cards;
pub(crate) mod charge;
pub mod checkout;
mod disputes;
mod gateways;
pub mod ledger;
mod providers;
pub mod refunds;
pub mod sandbox;
pub mod status;

pub(in crate::app) use balances::balance_of;
pub use balances::balances_of;
pub use cards::{CardView, RemovedCard, StoredCardPolicy, remove_card, stored_cards};
pub(in crate::app) use cards::{remove_at_gateway, remove_unused};
pub(in crate::app) use charge::no_card_error;
pub use charge::{charge, collect};
pub(in crate::app) use checkout::checkout_lock::PageTurns;
pub use checkout::start::StartedPayment;
pub use disputes::apply_dispute_news;
pub(in crate::app) use disputes::write_dispute_news;
pub(in crate::app) use gateways::keyed_gateways;
pub(in crate::app) use gateways::{Gateways, serviced_names};
pub use gateways::{KeyCheck, check_keys};
pub use providers::{
    can_store_cards, card_gateways, has_sandbox, needs_town, offered_gateways, offers_card_storage,
    preferred_gateway,
};
pub(in crate::app) use providers::{gateway_of, is_chargeable, is_town_missing};
pub(in crate::app) use refunds::manual_refund::{
    record_manual_refund, record_partial_manual_refund,
};
pub(in crate::app) use refunds::policy_payments::{disputes_of, refunds_of};
pub use refunds::refund_info::{AmountLine, RefundInfo};
pub(in crate::app) use refunds::refund_lookup::record_lookup;
pub use status::read::PaymentView;

pub use crate::integrations::payments::CallbackAnswer;
