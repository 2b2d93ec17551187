//! Refunds: amounts not refunded yet, the job that sends refunds, and manual refunds.

mod gateway_refund;
pub(crate) mod manual_refund;
pub(crate) mod policy_payments;
pub(crate) mod refund_info;
pub(crate) mod refund_job;
pub(crate) mod refund_lookup;
pub mod unrefunded;

pub(in crate::app) use gateway_refund::{record_gateway_refund, record_refund_after_backup};
pub use refund_job::mark_refund_failed;
pub(in crate::app) use refund_job::{apply_refund_report, refund, set_reference};
