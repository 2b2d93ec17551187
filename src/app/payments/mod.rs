//! Paying: start an attempt at a gateway, ask what became of it, handle its callbacks, record its
//! outcome, and refund.

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

pub use crate::integrations::payments::CallbackAnswer;
pub(in crate::app) use balances::balance_of;
pub use balances::balances_of;
pub(in crate::app) use checkout::checkout_lock::PageTurns;
pub use checkout::start::Initiated;
pub(in crate::app) use gateways::Gateways;
pub use gateways::check_keys;
pub(in crate::app) use refunds::manual_refund::{pay_otherwise, pay_part_otherwise};
pub(in crate::app) use refunds::policy_payments::{disputes_of, refunds_of};
pub use refunds::refund_info::{AmountLine, RefundInfo};
pub use status::read::PaymentView;
