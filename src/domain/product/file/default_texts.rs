//! Builds the documents of a product whose file has no documents. The sources are the product's
//! facts, form, rules and terms.

use crate::domain::product::field_kind::FieldKind;
use crate::domain::product::fields::{Dataset, Field};
use crate::domain::product::info::Info;
use crate::domain::product::rules::{Terms, UnderwritingRule};
use crate::domain::product::texts::{Part, Point, Section, Texts};

const PAYING_MONTHLY: &str = "Or monthly by card, if we offer it with your price of {monthly_minimum} or more: in up to {monthly_payments} equal payments, the first when you buy, the others on the same day of each later month. There is no interest and no charge.{monthly_grantor}";
const UNPAID: &str = "If a monthly payment fails, we may try the card again 3 and 7 days later. If it stays unpaid, we may cancel the policy with at least 14 days' notice by email.";
const CANCELLING_MONTHLY: &str = "If you pay monthly: we collect no payment after the policy has ended, and return what you have paid for the days that are left, less the fee, if there is one.";

/// The parts of the product that the texts use.
pub(super) struct ProductFacts<'a> {
    pub(super) info: &'a Info,
    pub(super) terms: &'a Terms,
    pub(super) is_monthly: bool,
    pub(super) datasets: &'a [Dataset],
    pub(super) underwriting: &'a [UnderwritingRule],
}

impl ProductFacts<'_> {
    pub(super) fn texts(&self) -> Texts {
        Texts {
            questions: Vec::new(),
            ipid: [
                self.insured_items(),
                self.insured(),
                self.not_insured(),
                self.restrictions(),
                points(["The United Kingdom, unless your policy schedule says otherwise."]),
                points(self.obligations()),
                self.payment(),
                points([self.period()]),
                self.cancelling_points(),
            ],
            wording: self.wording(),
        }
    }

    fn fields(&self) -> impl Iterator<Item = &Field> {
        self.datasets.iter().flat_map(|dataset| &dataset.fields)
    }

    /// Returns the extras: checkboxes that the price depends on.
    fn extras(&self) -> impl Iterator<Item = &Field> {
        self.fields()
            .filter(|field| field.kind == FieldKind::Checkbox && field.rateable)
    }

    fn insured_items(&self) -> Vec<Point> {
        let facts = self.info.facts.iter().map(Point::new);
        let first = Point::new(format!("{}.", self.info.headline.trim_end_matches('.')));
        std::iter::once(first).chain(facts).collect()
    }

    fn insured(&self) -> Vec<Point> {
        let options = self.fields().flat_map(|field| &field.options);
        let mut found: Vec<Point> = options
            .flat_map(|option| {
                option.includes.iter().map(|text| Point {
                    text: text.clone(),
                    only: Some(option.label.clone()),
                    ..Point::default()
                })
            })
            .collect();
        if found.is_empty() {
            found = self.info.facts.iter().map(Point::new).collect();
        }
        found.extend(self.extras().map(|field| Point {
            text: field.label.clone(),
            only: Some("if you add it".to_owned()),
            option: true,
            ..Point::default()
        }));
        found
    }

    fn not_insured(&self) -> Vec<Point> {
        let options = self.fields().flat_map(|field| &field.options);
        let excluded = options.flat_map(|option| {
            option.excludes.iter().map(|text| Point {
                text: text.clone(),
                only: Some(option.label.clone()),
                ..Point::default()
            })
        });
        let always = points([
            "What happened, or was already wrong, before your cover began.",
            "Loss or damage that you cause on purpose.",
        ]);
        excluded.chain(always).collect()
    }

    fn restrictions(&self) -> Vec<Point> {
        let reasons = self.underwriting.iter().map(|rule| rule.reason.clone());
        let assumed = self
            .info
            .assumptions
            .iter()
            .flat_map(|part| part.points.clone());
        let found: Vec<_> = assumed.chain(reasons).collect();
        if found.is_empty() {
            return points(["Cover is limited to what your policy schedule lists."]);
        }
        points(found)
    }

    fn statements(&self) -> Vec<String> {
        let statements = self.datasets.iter().flat_map(|dataset| &dataset.statements);
        statements.cloned().collect()
    }

    fn obligations(&self) -> Vec<String> {
        let mut found = vec![
            "Answer our questions truthfully, and tell us when an answer changes.".to_owned(),
            "Take reasonable care to avoid a claim, and tell us of one as soon as you can."
                .to_owned(),
        ];
        let declared = self.statements().into_iter();
        found.extend(declared.map(|text| format!("This must be true: {text}")));
        found
    }

    fn payment(&self) -> Vec<Point> {
        let whole = Point::new("The whole price, by card, when you buy.");
        let monthly = [PAYING_MONTHLY, UNPAID].map(monthly_point);
        let monthly = monthly.into_iter().filter(|_| self.is_monthly);
        std::iter::once(whole).chain(monthly).collect()
    }

    fn cancelling_points(&self) -> Vec<Point> {
        let monthly = self.is_monthly.then(|| monthly_point(CANCELLING_MONTHLY));
        points(self.cancelling())
            .into_iter()
            .chain(monthly)
            .collect()
    }

    fn period(&self) -> String {
        let wait = match self.terms.cover_delay_hours {
            0 => "",
            _ => " New cover begins {cover_delay_hours} hours after you buy it at the earliest.",
        };
        format!(
            "From the first to the last day in your policy schedule: a year, unless it says otherwise.{wait}"
        )
    }

    fn cancelling(&self) -> Vec<String> {
        let fee = match self.terms.cancellation_fee.0 {
            0 => "",
            _ => ", less a fee of {cancellation_fee}",
        };
        vec![
            "In your account at any time, or by telephone on {phone}.".to_owned(),
            "Within {cooling_off_days} days of the start of your cover or of buying it, whichever is later: we return all you have paid.".to_owned(),
            format!("Later: we return the price of the days that are left{fee}."),
        ]
    }

    fn wording(&self) -> Vec<Section> {
        let title = &self.info.product_title;
        let mut sections = vec![
            section(
                "About this policy",
                [
                    Part::Text(format!(
                        "This is the wording of {title}. With your policy schedule it is the contract between you and {{brand}}."
                    )),
                    Part::List(self.info.facts.clone()),
                ],
            ),
            section("What is covered", self.cover_parts()),
            section(
                "What is not covered",
                [Part::List(texts(self.not_insured()))],
            ),
            section(
                "Limits and conditions",
                [
                    Part::List(texts(self.restrictions())),
                    Part::List(self.obligations()),
                ],
            ),
        ];
        sections.extend([
            section("Making a claim", [Part::Text(
                "Call {help_phone} as soon as you can, with your policy number. Tell us what happened, where and when, and send us what we ask for.".to_owned(),
            )]),
            section("Start, end and renewal", [
                Part::Text(self.period()),
                Part::Text("About {renewal_lead_days} days before a year of cover ends we tell you the price of the next.".to_owned()),
            ]),
            section("Cancelling", [Part::List(self.cancelling())]),
        ]);
        if self.is_monthly {
            let rules = [PAYING_MONTHLY, UNPAID, CANCELLING_MONTHLY].map(str::to_owned);
            sections.push(section("Paying monthly", [Part::List(rules.to_vec())]));
        }
        sections.extend([
            section("Complaints", [Part::Text("{complaints}".to_owned())]),
            section("Your data", [Part::Text(
                "{brand} uses what you tell us to sell and run this policy, to deal with claims, to prevent fraud and to meet the law. Our privacy notice says more; ask for what we hold about you at {email}.".to_owned(),
            )]),
        ]);
        sections
    }

    /// Returns each option that has inclusions or exclusions, and then the extras. If there are
    /// none, returns the list of what is insured.
    fn cover_parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for option in self.fields().flat_map(|field| &field.options) {
            if option.includes.is_empty() && option.excludes.is_empty() {
                continue;
            }
            parts.push(Part::Heading(option.label.clone()));
            parts.extend(option.description.clone().map(Part::Text));
            parts.extend(list("It includes:", &option.includes));
            parts.extend(list("It leaves out:", &option.excludes));
        }
        for field in self.extras() {
            parts.push(Part::Heading(format!(
                "{}, if your schedule shows it",
                field.label
            )));
            parts.extend(field.help.clone().map(Part::Text));
        }
        if parts.is_empty() {
            parts.push(Part::List(texts(self.insured())));
        }
        parts
    }
}

fn list(intro: &str, items: &[String]) -> Vec<Part> {
    if items.is_empty() {
        return Vec::new();
    }
    vec![Part::Text(intro.to_owned()), Part::List(items.to_vec())]
}

fn section(title: &str, parts: impl IntoIterator<Item = Part>) -> Section {
    Section {
        title: title.to_owned(),
        parts: parts.into_iter().collect(),
    }
}

fn points<T: Into<String>>(sentences: impl IntoIterator<Item = T>) -> Vec<Point> {
    sentences.into_iter().map(Point::new).collect()
}

fn monthly_point(text: &str) -> Point {
    Point {
        monthly: true,
        ..Point::new(text)
    }
}

fn texts(points: Vec<Point>) -> Vec<String> {
    let text = |point: Point| match point.only {
        Some(only) => format!("{} ({only})", point.text),
        None => point.text,
    };
    points.into_iter().map(text).collect()
}
