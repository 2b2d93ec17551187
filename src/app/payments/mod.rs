//! Payments: starts an attempt at a gateway, queries the attempt's status, handles callbacks,
//! records the outcome, and makes refunds.

mod balances;
pub(crate) mod cards;
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
pub use cards::charge_stored;
pub(in crate::app) use checkout::checkout_lock::PageTurns;
pub use checkout::start::StartedPayment;
pub use disputes::apply_dispute_news;
pub(in crate::app) use gateways::Gateways;
pub use gateways::check_keys;
pub(in crate::app) use providers::{can_charge_card_of, gateway_of};
pub use providers::{can_store_cards, has_sandbox, offered_gateways, preferred_gateway};
pub(in crate::app) use refunds::manual_refund::{
    record_manual_refund, record_partial_manual_refund,
};
pub(in crate::app) use refunds::policy_payments::{disputes_of, refunds_of};
pub use refunds::refund_info::{AmountLine, RefundInfo};
pub(in crate::app) use refunds::refund_lookup::record_lookup;
pub use status::read::PaymentView;

pub use crate::integrations::payments::CallbackAnswer;
