//! Accounts: log-in, log-out, sessions, profiles, passwords and mailed links.

mod audit;
mod change_password;
mod change_profile;
mod device;
mod hashing;
mod hashing_queue;
pub(in crate::app) mod links;
mod login;
mod profile;
mod reset_password;
mod sessions;
mod unconfirmed;

pub use change_password::change_password;
pub use change_profile::{ProfileChange, change_profile, confirm_address};
pub use hashing::{Passwords, hash};
pub use login::{LoggedIn, log_in, log_out};
pub(in crate::app) use profile::user;
pub use profile::{ProfileView, profile};
pub(super) use profile::{registered_user, user_named};
pub use reset_password::{LinkOwner, Reset, link_owner, request_password, reset_password};
pub use sessions::{SessionView, delete_ended_sessions, end_other_sessions, sessions};
pub(super) use unconfirmed::forget_unconfirmed;
