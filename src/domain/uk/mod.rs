//! Checks and normalises British data: addresses, telephone numbers and registration marks.

pub mod email;
pub mod phone;
pub mod plate_age;
pub mod postcode;
pub mod registration;
