//! What each letter to a customer says.

mod draft;
mod layout;
mod letter;
mod policy;

pub use letter::Letter;
pub use policy::{FirstPassword, PolicyEvent, PolicyLetter};

#[cfg(test)]
mod tests;
