//! The quote or policy of a document, and the head and addressee of the document.

use std::sync::Arc;

use chrono::NaiveDate;

use crate::app::products::ProductRegistry;
use crate::app::products::help_line::help_line;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError};
use crate::documents::data::{Addressee, Date, GroupTable, Head, ShopDetails, TableRow};
use crate::domain::money::price::Price;
use crate::domain::policy::Policy;
use crate::domain::product::Product;
use crate::domain::quote::{Quote, Revision, formatted_answers, policyholder, summary};
use crate::store::{Read, tables};

/// A quote or policy with one revision and its product, for a document.
pub(in crate::app) struct DocumentSubject {
    pub(in crate::app) quote: Quote,
    pub(in crate::app) revision: Revision,
    pub(in crate::app) product: Arc<Product>,
    pub(in crate::app) policy: Option<Policy>,
}

impl DocumentSubject {
    /// Returns the chosen cover, in short lines.
    pub(in crate::app) fn cover(&self) -> Vec<String> {
        let lines = summary::summary(&self.product, &self.revision.answers);
        lines.into_iter().map(|line| line.text).collect()
    }

    pub(in crate::app) fn price(&self) -> Result<&Price, AppError> {
        let missing = || AppError::Internal("a policy's revision has no price".into());
        self.revision.price.as_ref().ok_or_else(missing)
    }

    pub(in crate::app) fn groups(&self) -> Vec<GroupTable> {
        let groups = formatted_answers::groups(&self.product, &self.revision.answers).into_iter();
        let group = |group: formatted_answers::AnswerGroup| GroupTable {
            title: group.title,
            noun: group.noun,
            rows: group
                .rows
                .into_iter()
                .map(|(label, value)| TableRow { label, value })
                .collect(),
            columns: group.columns,
            records: group.records,
        };
        groups.map(group).collect()
    }
}

/// Returns the head and foot of a document about a product.
pub(in crate::app) fn head(app: &App, title: &str, product: &Product, date: NaiveDate) -> Head {
    let (site, info) = (&app.config.site, product.info());
    Head {
        shop: ShopDetails {
            brand: site.brand.clone(),
            phone: site.phone.clone(),
            assistance_phone: site.assistance_phone.clone(),
            email: site.email.clone(),
            hours: site.hours.clone(),
            website: app.public_url.clone(),
            address: site.postal_address.clone(),
            regulatory: site.footer.clone(),
            complaints: site.complaints.clone(),
        },
        help: help_line(product, site),
        title: title.to_string(),
        product: info.product_title.clone(),
        version: info.version.clone(),
        reference: None,
        date: Date::from(date),
        sample: info.sample,
    }
}

/// Returns the name and address of the policyholder.
pub(in crate::app) fn addressee(subject: &DocumentSubject) -> Addressee {
    let answers = &subject.revision.answers;
    Addressee {
        name: policyholder::name(answers),
        lines: policyholder::address_lines(answers),
    }
}

impl DocumentSubject {
    /// Returns the demands and needs, one sentence each.
    pub(in crate::app) fn needs(&self) -> Vec<String> {
        crate::domain::quote::summary::needs(&self.product, &self.revision.answers)
    }
}

/// Returns the subject of a document about `revision`. If `revision` is `None`, uses the policy's
/// revision in force, or the quote's newest revision if there is no policy.
pub(in crate::app) fn subject(
    products: &ProductRegistry,
    tx: &impl Read,
    quote: Quote,
    revision: Option<u32>,
) -> Result<DocumentSubject, AppError> {
    let policy = tables::POLICIES.get(tx, &quote.uuid)?;
    let in_force = policy.as_ref().map(|policy| policy.revision);
    let number = revision.or(in_force).unwrap_or(quote.current.number);
    let revision = revision_of(tx, &quote, number)?;
    Ok(DocumentSubject {
        product: products.by_hash(tx, &revision.product_hash)?,
        quote,
        revision,
        policy,
    })
}

/// Returns the head and foot of a document about a quote or policy.
pub(in crate::app) fn subject_head(
    app: &App,
    title: &str,
    subject: &DocumentSubject,
    date: NaiveDate,
) -> Head {
    Head {
        reference: Some(subject.quote.reference.clone()),
        ..head(app, title, &subject.product, date)
    }
}
