//! Accounts: log in, log out, the profile a page shows, passwords and mailed links.

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

pub use change_profile::ProfileChange;
pub use hashing::{Passwords, hash};
pub use login::LoggedIn;
pub use profile::ProfileView;
pub(super) use profile::{registered_user, user_named};
pub use reset_password::{LinkOwner, Reset};
pub use sessions::SessionView;
pub(super) use unconfirmed::forget_unconfirmed;
