//! Letters: what each says, and how it is sent.

pub(in crate::app) mod letters;
pub(in crate::app) mod policy;
pub(in crate::app) mod quote;
pub(in crate::app) mod send;
