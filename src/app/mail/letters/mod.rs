//! What each letter to a customer says.

mod changes;
mod draft;
mod event;
mod layout;
mod letter;
mod money;
mod policy;

pub use event::{ChangeEvent, ChangeMoney, Dropped, EndEvent, Neighbour, PolicyEvent};
pub use letter::{Letter, Refused};
pub use money::{MoneyEvent, MoneyLetter};
pub use policy::{FirstPassword, PolicyLetter};

#[cfg(test)]
mod tests;
