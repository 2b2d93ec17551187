//! Documents as they are listed over the wire.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::published::{answer, request};
use crate::app::documents::ListedDocument;

answer! {
    /// A document.
    pub struct DocumentItem {
        pub(in crate::api) identifier: String,
        pub(in crate::api) title: String,
        /// Whether its pages can be fetched now.
        pub(in crate::api) is_ready: bool,
        /// When it was ordered; null for documents of the product.
        pub(in crate::api) date: Option<DateTime<Utc>>,
    }
}

answer! {
    /// Documents under a heading.
    pub struct DocumentGroup {
        pub(in crate::api) title: String,
        pub(in crate::api) documents: Vec<DocumentItem>,
    }
}

answer! {
    /// A revision of a policy.
    pub struct RevisionDate {
        pub(in crate::api) date_revision: DateTime<Utc>,
    }
}

answer! {
    /// A document that lives elsewhere.
    pub struct ExternalItem {
        pub(in crate::api) title: String,
        pub(in crate::api) url: String,
    }
}

answer! {
    /// A policy's documents.
    pub struct PolicyDocuments {
        pub(in crate::api) documents: Vec<DocumentGroup>,
        /// By the revision's id.
        pub(in crate::api) revisions: BTreeMap<String, RevisionDate>,
        pub(in crate::api) external: Vec<ExternalItem>,
    }
}

answer! {
    /// Documents that live elsewhere.
    pub struct ExternalDocuments {
        pub(in crate::api) external: Vec<ExternalItem>,
    }
}

request! {
    /// Which documents to look for.
    pub struct Check {
        /// At most 100 identifiers.
        pub(in crate::api) docs: Vec<String>,
    }
}

impl From<ListedDocument> for DocumentItem {
    fn from(listed: ListedDocument) -> Self {
        Self {
            identifier: listed.identifier,
            title: listed.title,
            is_ready: listed.ready,
            date: listed.date,
        }
    }
}
