//! What each document says: rows of the store become texts ready to be printed.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Europe::London;

use super::letters::sum;
use crate::app::products::help_line::help_line;
use crate::app::quotes::revision_of;
use crate::app::quotes::underwrite::holder_name;
use crate::app::{App, AppError};
use crate::documents::Template;
use crate::documents::data::{
    Addressee, Amount, Date, DemandsAndNeeds, Group, Head, Heading, Ipid, Mark, Part, Point,
    Points, Receipt, Row, Schedule, Section, Shop, Sum, Term, Wording, in_words,
};
use crate::domain::dates::london_date;
use crate::domain::document::{Document, DocumentKind, ProductDocument};
use crate::domain::money::Pence;
use crate::domain::policy::Policy;
use crate::domain::price::{Line, Price};
use crate::domain::product::{Product, texts};
use crate::domain::quote::{Quote, Revision};
use crate::domain::{shown_answers, summary};
use crate::store::tables::Pages;
use crate::store::{Read, tables};

/// A quote or policy with what a document of it needs to know.
pub(super) struct Case {
    pub(super) quote: Quote,
    pub(super) revision: Revision,
    pub(super) product: Arc<Product>,
    pub(super) policy: Option<Policy>,
}

impl App {
    /// The case of a revision: that in force, or else the newest, where none is named.
    pub(super) fn case(
        &self,
        tx: &impl Read,
        quote: Quote,
        revision: Option<u32>,
    ) -> Result<Case, AppError> {
        let policy = tables::POLICIES.get(tx, &quote.uuid)?;
        let in_force = policy.as_ref().map(|policy| policy.revision);
        let number = revision.or(in_force).unwrap_or(quote.current.number);
        let revision = revision_of(tx, &quote, number)?;
        Ok(Case {
            product: self.products.by_hash(&revision.product_hash)?,
            quote,
            revision,
            policy,
        })
    }

    /// Gathers what a document says, and prints it.
    pub(super) async fn print_for(
        &self,
        document: &Document,
        case: &Case,
    ) -> Result<Pages, AppError> {
        let (template, data) = match document.kind {
            DocumentKind::Schedule => (
                Template::Schedule,
                serde_json::to_value(self.schedule(document, case)?),
            ),
            DocumentKind::DemandsAndNeeds => (
                Template::DemandsAndNeeds,
                serde_json::to_value(self.demands_and_needs(case)),
            ),
            DocumentKind::Receipt => (
                Template::Receipt,
                serde_json::to_value(self.receipt(document, case)?),
            ),
            DocumentKind::Adjustment => (
                Template::Adjustment,
                serde_json::to_value(self.adjustment_letter(document, case)?),
            ),
            DocumentKind::Cancellation => (
                Template::Cancellation,
                serde_json::to_value(self.cancellation_letter(document, case)?),
            ),
            DocumentKind::Renewal => (
                Template::Renewal,
                serde_json::to_value(self.renewal_notice(document, case)?),
            ),
        };
        let data = data.map_err(|error| AppError::Internal(error.to_string()))?;
        let made_of = self.printing.stamp(template, &data.to_string());
        let pdf = self.print(template, data).await?.into();
        Ok(Pages { pdf, made_of })
    }

    /// Head and foot of a document about a quote or a policy.
    pub(super) fn head(&self, title: &str, case: &Case, date: NaiveDate) -> Head {
        Head {
            reference: Some(case.quote.reference.clone()),
            ..head(self, title, &case.product, date)
        }
    }

    fn schedule(&self, document: &Document, case: &Case) -> Result<Schedule, AppError> {
        let policy = case.policy.as_ref().ok_or(AppError::NotFound)?;
        let mut period = vec![
            Row::new("Policy number", &case.quote.reference),
            Row::new("First day", in_words(policy.inception)),
            Row::new("Last day", in_words(policy.expiry)),
            Row::new("Cover begins", moment(policy.cover_begins)),
            Row::new("Bought on", in_words(london_date(policy.purchased))),
        ];
        if !is_first(case, document.revision) {
            let changed = in_words(london_date(document.created));
            period.push(Row::new("Changed on", changed));
        }
        Ok(Schedule {
            head: self.head(document.kind.title(), case, dated(document, case)),
            to: addressee(case),
            cover: case.cover(),
            period,
            groups: case.groups(),
            price: price(case.price()?),
            declared: declared(&case.product),
        })
    }

    fn demands_and_needs(&self, case: &Case) -> DemandsAndNeeds {
        let saved = london_date(case.revision.at);
        DemandsAndNeeds {
            head: self.head(DocumentKind::DemandsAndNeeds.title(), case, saved),
            to: addressee(case),
            needs: case.needs(),
            cover: case.cover(),
        }
    }

    /// What the payment `document.about` paid for: the policy, or a change of it.
    fn receipt(&self, document: &Document, case: &Case) -> Result<Receipt, AppError> {
        let policy = case.policy.as_ref().ok_or(AppError::NotFound)?;
        let title = &case.product.info().product_title;
        let tx = self.store.read()?;
        let payment = match document.about {
            Some(id) => tables::PAYMENTS.get(&tx, &id)?,
            None => None,
        };
        let change = match payment.and_then(|payment| payment.adjustment) {
            Some(id) => tables::ADJUSTMENTS.get(&tx, &id)?,
            None => None,
        };
        let (paid_on, bought, price) = match &change {
            Some(change) => (
                change.applied.unwrap_or(document.created),
                format!("{title}, changed from {}", in_words(change.effective)),
                sum(&change.figures.lines, 1, change.figures.amount),
            ),
            None => (policy.purchased, title.clone(), price(case.price()?)),
        };
        let paid_on = london_date(paid_on);
        let term = format!(
            "{} to {}",
            in_words(policy.inception),
            in_words(policy.expiry)
        );
        let mut about = vec![
            Row::new("Paid on", in_words(paid_on)),
            Row::new("For", bought),
            Row::new("Policy number", &case.quote.reference),
            Row::new("Term", term),
            Row::new("Paid by", "Card"),
        ];
        about.extend(
            document
                .about
                .map(|payment| Row::new("Payment", payment.to_string())),
        );
        Ok(Receipt {
            head: self.head(document.kind.title(), case, paid_on),
            to: addressee(case),
            about,
            paid: price.total.clone(),
            price,
        })
    }
}

impl Case {
    /// What was chosen, in short lines.
    pub(super) fn cover(&self) -> Vec<String> {
        let lines = summary::summary(&self.product, &self.revision.answers);
        lines.into_iter().map(|line| line.text).collect()
    }

    fn price(&self) -> Result<&Price, AppError> {
        let missing = || AppError::Internal("a policy's revision has no price".to_string());
        self.revision.price.as_ref().ok_or_else(missing)
    }

    fn groups(&self) -> Vec<Group> {
        let groups = shown_answers::groups(&self.product, &self.revision.answers).into_iter();
        let group = |group: shown_answers::Group| Group {
            title: group.title,
            noun: group.noun,
            rows: group
                .rows
                .into_iter()
                .map(|(label, value)| Row { label, value })
                .collect(),
            columns: group.columns,
            records: group.records,
        };
        groups.map(group).collect()
    }
}

/// Head and foot of a document about a product.
fn head(app: &App, title: &str, product: &Product, date: NaiveDate) -> Head {
    let (site, info) = (&app.config.site, product.info());
    Head {
        shop: Shop {
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

/// Who a document goes to, as they wrote it.
pub(super) fn addressee(case: &Case) -> Addressee {
    let answers = &case.revision.answers;
    let mut lines = Vec::new();
    for name in ["address_primary", "postcode_primary"] {
        let text = answers.text(name).unwrap_or_default();
        lines.extend(text.lines().map(str::trim).map(str::to_string));
    }
    lines.retain(|line| !line.is_empty());
    Addressee {
        name: holder_name(answers),
        lines,
    }
}

/// Whether a revision is the one that was bought.
fn is_first(case: &Case, revision: u32) -> bool {
    let accepted = case.quote.accepted.as_ref();
    accepted.is_none_or(|accepted| accepted.revision == revision)
}

/// The day a document speaks of.
fn dated(document: &Document, case: &Case) -> NaiveDate {
    match &case.policy {
        Some(policy) if is_first(case, document.revision) => london_date(policy.purchased),
        _ => london_date(document.created),
    }
}

/// A moment in London: `21 November 2026 at 15:30`.
fn moment(at: DateTime<Utc>) -> String {
    let at = at.with_timezone(&London);
    format!("{} at {}", in_words(at.date_naive()), at.format("%H:%M"))
}

/// Lines of money and what they come to.
fn price(price: &Price) -> Sum {
    let amount = |line: &Line| Amount {
        label: line.label.clone(),
        amount: line.amount.to_string(),
        note: line.note.clone(),
    };
    Sum {
        lines: price
            .lines
            .iter()
            .chain(&price.charges)
            .map(amount)
            .collect(),
        total: price.total.to_string(),
    }
}

/// What the customer declared, and what is taken for granted.
fn declared(product: &Product) -> Vec<Points> {
    let datasets = product.form().datasets.into_iter();
    let statements: Vec<String> = datasets.flat_map(|dataset| dataset.statements).collect();
    let mut parts = Vec::new();
    if !statements.is_empty() {
        parts.push(Points {
            title: "What you declared".to_string(),
            intro: String::new(),
            points: statements,
        });
    }
    parts.extend(product.info().assumptions.as_ref().map(|assumed| Points {
        title: assumed.title.clone(),
        intro: assumed.intro.clone().unwrap_or_default(),
        points: assumed.points.clone(),
    }));
    parts
}

/// What stands in braces in a product's texts.
fn fact(app: &App, product: &Product, name: &str) -> Option<String> {
    let (site, terms) = (&app.config.site, product.terms());
    Some(match name {
        "brand" => site.brand.clone(),
        "phone" => site.phone.clone(),
        "assistance_phone" => site.assistance_phone.clone(),
        "help_phone" => help_line(product, site).phone,
        "email" => site.email.clone(),
        "hours" => site.hours.clone(),
        "complaints" => site.complaints.clone(),
        "cooling_off_days" => terms.cooling_off_days.to_string(),
        "cancellation_fee" => whole_pounds(terms.cancellation_fee),
        "renewal_lead_days" => terms.renewal_lead_days.to_string(),
        "quote_valid_days" => terms.quote_valid_days.to_string(),
        "cover_delay_hours" => terms.cover_delay_hours.to_string(),
        "single_trip_max_days" => terms.single_trip_max_days.to_string(),
        _ => return None,
    })
}

/// `£15` in a sentence rather than `£15.00`.
fn whole_pounds(amount: Pence) -> String {
    let text = amount.to_string();
    text.strip_suffix(".00").map(str::to_string).unwrap_or(text)
}

/// The product information document of a product.
pub(super) fn ipid(app: &App, product: &Product) -> Ipid {
    let fill = |text: &str| texts::fill(text, &|name| fact(app, product, name));
    let headings = texts::IPID_HEADINGS.iter().zip(&product.texts().ipid);
    let heading = |((key, title), points): (&(&str, &str), &Vec<texts::Point>)| {
        let mark = match *key {
            "insured" => Mark::Tick,
            "not_insured" => Mark::Cross,
            "restrictions" => Mark::Warning,
            "where" => Mark::Place,
            _ => Mark::Dot,
        };
        let point = |point: &texts::Point| Point {
            mark: if point.option { Mark::Option } else { mark },
            text: fill(&point.text),
            only: point.only.as_deref().map(fill),
        };
        Heading {
            title: (*title).to_string(),
            points: points.iter().map(point).collect(),
        }
    };
    let title = "Insurance Product Information Document";
    Ipid {
        head: head(app, title, product, product.effective_from()),
        headings: headings.map(heading).collect(),
    }
}

/// The policy wording of a product.
pub(super) fn wording(app: &App, product: &Product) -> Wording {
    let fill = |text: &String| texts::fill(text, &|name| fact(app, product, name));
    let part = |part: &texts::Part| match part {
        texts::Part::Text(text) => Part::Text { text: fill(text) },
        texts::Part::Heading(text) => Part::Heading { text: fill(text) },
        texts::Part::List(items) => Part::List {
            items: items.iter().map(fill).collect(),
        },
        texts::Part::Terms(terms) => Part::Terms {
            terms: terms
                .iter()
                .map(|(term, meaning)| Term {
                    term: fill(term),
                    meaning: fill(meaning),
                })
                .collect(),
        },
    };
    let sections = product.texts().wording.iter().map(|section| Section {
        title: fill(&section.title),
        parts: section.parts.iter().map(part).collect(),
    });
    Wording {
        sections: sections.collect(),
        head: head(
            app,
            ProductDocument::Wording.title(),
            product,
            product.effective_from(),
        ),
    }
}
