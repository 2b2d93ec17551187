//! The engine over one redb file.

pub(in crate::store) mod disk;
pub(crate) mod file;
pub(in crate::store) mod repair;
pub(crate) mod rows;
pub(crate) mod view;
