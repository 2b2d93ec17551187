//! Things as they are written in the United Kingdom, and how to keep them.

pub mod email;
pub mod phone;
pub mod plate_age;
pub mod postcode;
pub mod registration;
