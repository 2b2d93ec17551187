//! Paying: start an attempt at a gateway, ask what became of it, handle its callbacks, record its
//! outcome, and refund.

mod addresses;
mod ask_gateway;
mod attempts;
mod balances;
mod callback;
mod close_unresolved;
mod disputes;
mod gateways;
mod give_back;
pub mod ledger;
mod limits;
mod of_policy;
mod otherwise;
mod outcome;
mod page_turns;
mod payable;
mod providers;
mod read;
mod refund_info;
pub mod refunds;
pub mod sandbox;
mod start;
mod stored_cards;
mod surplus;
mod unread_messages;

pub use crate::integrations::gateway::CallbackAnswer;
pub(in crate::app) use attempts::attempts;
pub(in crate::app) use balances::balance_of;
pub use balances::balances_of;
pub(in crate::app) use close_unresolved::close_unresolved;
pub(in crate::app) use gateways::Gateways;
pub use gateways::check_keys;
pub(in crate::app) use of_policy::{disputes_of, refunds_of};
pub(in crate::app) use otherwise::{pay_otherwise, pay_part_otherwise};
pub(in crate::app) use page_turns::PageTurns;
pub use read::PaymentView;
pub use refund_info::{AmountLine, RefundInfo};
pub use start::Initiated;
