//! Smartpay Fuse: signed forms and answers, REST calls, and sales through its double
//! (`tests/smartpayfuse/double`).

#[path = "../smartpayfuse/double/mod.rs"]
pub mod double;

mod books;
mod calls;
mod encryption;
mod hostile;
mod judged;
mod keys;
mod outcomes;
mod provider;
mod refunds;
mod sales;
pub mod till;
mod vectors;

use crate::stripe::double::{faults, http};
