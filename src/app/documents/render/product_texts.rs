//! Builds the data of a product's documents: the wording and the IPID.

use crate::app::documents::owner::head;
use crate::app::products::help_line::help_line;
use crate::app::{App, payments};
use crate::config::CreditGrantor;
use crate::documents::data::{
    CoverPart, DefinedTerm, Heading, Ipid, Mark, TextPoint, TextSection, Wording,
};
use crate::domain::document::ProductDocument;
use crate::domain::money::Pence;
use crate::domain::policy::plan::MAX_INSTALMENTS;
use crate::domain::product::{Product, texts};

/// Returns the value of the placeholder `name`, which a product's text has in braces. Returns
/// `None` for an unknown name.
pub(in crate::app) fn fact(app: &App, product: &Product, name: &str) -> Option<String> {
    let (site, terms) = (&app.config.site, product.terms());
    let monthly = product.compiled.monthly;
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
        "monthly_payments" => monthly?.payments.min(MAX_INSTALMENTS).to_string(),
        "monthly_minimum" => whole_pounds(monthly?.minimum),
        "monthly_grantor" => match app.config.monthly.granted_by {
            Some(CreditGrantor::Insurer) => " It is the insurer who lets you pay monthly.",
            None => "",
        }
        .to_owned(),
        _ => return None,
    })
}

/// Formats whole pounds without pence: `£15`, not `£15.00`.
fn whole_pounds(amount: Pence) -> String {
    let text = amount.to_string();
    text.strip_suffix(".00").map(str::to_string).unwrap_or(text)
}

/// Returns the data of a product's IPID.
pub(in crate::app) fn ipid(app: &App, product: &Product) -> Ipid {
    let fill = |text: &str| texts::fill(text, &|name| fact(app, product, name));
    let headings = texts::IPID_HEADINGS.iter().zip(&product.texts().ipid);
    let offers_monthly = payments::offers_card_storage(app);
    let heading = |((key, title), points): (&(&str, &str), &Vec<texts::Point>)| {
        let mark = match *key {
            "insured" => Mark::Tick,
            "not_insured" => Mark::Cross,
            "restrictions" => Mark::Warning,
            "where" => Mark::Place,
            _ => Mark::Dot,
        };
        let point = |point: &texts::Point| TextPoint {
            mark: if point.option { Mark::Option } else { mark },
            text: fill(&point.text),
            only: point.only.as_deref().map(fill),
        };
        Heading {
            title: (*title).to_string(),
            points: points
                .iter()
                .filter(|point| offers_monthly || !point.monthly)
                .map(point)
                .collect(),
        }
    };
    let title = "Insurance Product Information Document";
    Ipid {
        head: head(app, title, product, product.effective_from()),
        headings: headings.map(heading).collect(),
    }
}

/// Returns the data of a product's policy wording.
pub(in crate::app) fn wording(app: &App, product: &Product) -> Wording {
    let fill = |text: &String| texts::fill(text, &|name| fact(app, product, name));
    let part = |part: &texts::Part| match part {
        texts::Part::Text(text) => CoverPart::Text { text: fill(text) },
        texts::Part::Heading(text) => CoverPart::Heading { text: fill(text) },
        texts::Part::List(items) => CoverPart::List {
            items: items.iter().map(fill).collect(),
        },
        texts::Part::Terms(terms) => CoverPart::Terms {
            terms: terms
                .iter()
                .map(|term| DefinedTerm {
                    term: fill(&term.term),
                    meaning: fill(&term.means),
                })
                .collect(),
        },
    };
    let sections = product.texts().wording.iter().map(|section| TextSection {
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
