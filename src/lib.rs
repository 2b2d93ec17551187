//! layby
