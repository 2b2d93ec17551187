//! Plans of policies that are paid monthly.

mod advance;
mod bank_transfer;
mod changes;
mod losses;
mod payments;
mod plan_info;
mod stopped_payments;
mod term_end;
mod unpaid;

pub(in crate::app) use advance::{advance_plan, record_letter};
pub(in crate::app) use bank_transfer::record_bank_transfer;
pub(in crate::app) use changes::{announce_new_plan, plan_after, require_nothing_due, undo_spread};
pub(in crate::app) use losses::{apply_loss, paid_twice_cause};
pub(in crate::app) use payments::{
    collect_payment, drop_charge, fail_payment, is_charge_open, open_charge_status,
    require_no_open_charge,
};
pub use plan_info::{PlanInfo, PlanOffer};
pub use stopped_payments::StoppedPayments;
pub(in crate::app) use term_end::{end_plan, written_off};
pub(in crate::app) use unpaid::unpaid_plans;
