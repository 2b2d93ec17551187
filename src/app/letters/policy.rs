//! The letters about a policy: each says what happened, what it means in money and days, and
//! where its documents are.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Europe::London;

use super::Draft;
use crate::config::Site;
use crate::domain::money::Pence;

/// A letter about a policy, with what it needs to know.
#[derive(Clone, Debug)]
pub struct PolicyLetter {
    /// The product's title.
    pub product: String,
    /// The policy's reference.
    pub reference: String,
    /// The page of the policy and its documents.
    pub page: String,
    /// What happened.
    pub event: PolicyEvent,
}

/// What happened to a policy, with its figures in pence.
#[derive(Clone, Debug)]
pub enum PolicyEvent {
    /// It was bought.
    Bought {
        /// Moment from which what happens is covered.
        begins: DateTime<Utc>,
        /// Its last day.
        expiry: NaiveDate,
        /// What was paid.
        paid: Pence,
        /// When its card is charged for the next year, where it renews by itself.
        charge_on: Option<NaiveDate>,
    },
    /// A change is in force.
    Changed {
        /// Its first day.
        from: NaiveDate,
        /// Paid for it; back when negative.
        amount: Pence,
    },
    /// It was ended early.
    Cancelled {
        /// First day without cover.
        from: NaiveDate,
        /// What comes back.
        refund: Pence,
    },
    /// It was undone before it began.
    NotTakenUp {
        /// What comes back.
        refund: Pence,
    },
    /// Its renewal is quoted.
    RenewalQuoted {
        /// First day of the renewed cover.
        starts: NaiveDate,
        /// What it costs now.
        last_year: Pence,
        /// What it will cost; none while answers are missing.
        price: Option<Pence>,
        /// When its card is charged, where it renews by itself.
        charge_on: Option<NaiveDate>,
        /// The page of the renewal quote.
        quote: String,
    },
    /// It can't be renewed as it is.
    NotRenewable {
        /// Its last day.
        expiry: NaiveDate,
        /// Why, in underwriting's words.
        reason: String,
    },
    /// Its card was refused, and it isn't renewed yet.
    CardRefused {
        /// Its last day.
        expiry: NaiveDate,
        /// The page of the renewal quote.
        quote: String,
    },
    /// Its last day is over, and it was not renewed.
    Ended {
        /// Its last day.
        expiry: NaiveDate,
    },
}

/// What every renewal letter says (ICOBS 6.5.1).
const COMPARE: &str = "Please check that this cover still suits you. You may be able to get the \
    cover you want at a better price if you shop around.";

impl PolicyLetter {
    pub(super) fn draft(&self, site: &Site) -> Draft<'_> {
        let (subject, title, says, more) = self.words(site);
        let mut facts = vec![
            ("Policy", self.product.clone()),
            ("Reference", self.reference.clone()),
        ];
        facts.extend(more);
        let button = match &self.event {
            PolicyEvent::RenewalQuoted { quote, .. } => ("Look at your renewal", quote.as_str()),
            PolicyEvent::CardRefused { quote, .. } => ("Renew now", quote.as_str()),
            PolicyEvent::Ended { .. } | PolicyEvent::NotRenewable { .. } => {
                ("See your policy", self.page.as_str())
            }
            _ => ("See your policy and documents", self.page.as_str()),
        };
        Draft {
            subject,
            title,
            says,
            facts,
            button: Some(button),
            note: Some("The page asks you to log in. Your documents are there within minutes."),
            also: None,
            question: "Something not right?",
            advice: format!("Call us on {} and we'll look at it with you.", site.phone),
            remedy: None,
            why: "You get this email because you hold this policy. We send it as a service, not \
                  as advertising.",
        }
    }

    fn words(&self, site: &Site) -> Words {
        let brand = &site.brand;
        let reference = &self.reference;
        match &self.event {
            PolicyEvent::Bought {
                begins,
                expiry,
                paid,
                charge_on,
            } => (
                format!("Your {brand} policy {reference}"),
                "You're covered",
                vec![
                    "Thank you. Your payment has arrived and your policy is set up.".to_owned(),
                    format!(
                        "If you need help under this cover, call {} at any hour.",
                        site.assistance_phone
                    ),
                ],
                vec![
                    ("Cover begins", moment(*begins)),
                    ("Cover ends", format!("end of {}", day(*expiry))),
                    ("You paid", sum(*paid)),
                    (
                        "Next year",
                        charge_on.map_or("doesn't renew by itself".to_owned(), |on| {
                            format!("renews by itself; your card is charged on {}", day(on))
                        }),
                    ),
                ],
            ),
            PolicyEvent::Changed { from, amount } => (
                format!("Your {brand} policy {reference} has changed"),
                "Your change is made",
                vec!["Your policy has been changed as you asked, and new documents follow.".into()],
                vec![
                    ("From", day(*from)),
                    match amount.0 {
                        0 => ("To pay", "nothing".to_owned()),
                        1.. => ("You paid", sum(*amount)),
                        _ => ("Comes back to your card", sum(-*amount)),
                    },
                ],
            ),
            PolicyEvent::Cancelled { from, refund } => (
                format!("Your {brand} policy {reference} is cancelled"),
                "Your policy is cancelled",
                vec!["Your policy has ended as you asked. You are no longer covered.".to_owned()],
                vec![("Ended on", day(*from)), ("Refund", back(*refund))],
            ),
            PolicyEvent::NotTakenUp { refund } => (
                format!("Your {brand} policy {reference} was not taken up"),
                "Your policy was undone",
                vec!["Your policy was undone before it began. You are not covered by it.".into()],
                vec![("Refund", back(*refund))],
            ),
            PolicyEvent::RenewalQuoted {
                starts,
                last_year,
                price,
                charge_on,
                ..
            } => (
                format!("Your {brand} renewal: policy {reference}"),
                "Your cover is due for renewal",
                vec![
                    charge_on.map_or(
                        "Your policy doesn't renew by itself. To stay covered, please renew it \
                         before it ends."
                            .to_owned(),
                        |on| {
                            format!(
                                "Your policy renews by itself. We charge the card you paid with \
                                 on {}. You can switch that off in one press in your account.",
                                day(on)
                            )
                        },
                    ),
                    COMPARE.to_owned(),
                ],
                vec![
                    ("This year's price", sum(*last_year)),
                    (
                        "Renewal price",
                        price.map_or("please complete your answers".to_owned(), sum),
                    ),
                    ("Renewed cover begins", day(*starts)),
                ],
            ),
            PolicyEvent::NotRenewable { expiry, reason } => (
                format!("Your {brand} policy {reference} can't be renewed"),
                "We can't renew this cover as it is",
                vec![reason.clone()],
                vec![("Cover ends", format!("end of {}", day(*expiry)))],
            ),
            PolicyEvent::CardRefused { expiry, .. } => (
                format!("Your {brand} policy {reference} is not renewed yet"),
                "We couldn't renew your policy",
                vec![
                    "We tried to charge your card for your renewal, and it didn't work. Nothing \
                     was taken. To stay covered, please renew with a card today."
                        .to_owned(),
                ],
                vec![("Cover ends", format!("end of {}", day(*expiry)))],
            ),
            PolicyEvent::Ended { expiry } => (
                format!("Your {brand} policy {reference} has ended"),
                "Your policy has ended",
                vec!["Your policy has run to its end. You are no longer covered by it.".to_owned()],
                vec![("Ended", format!("end of {}", day(*expiry)))],
            ),
        }
    }
}

/// Subject, title, sentences and facts.
type Words = (
    String,
    &'static str,
    Vec<String>,
    Vec<(&'static str, String)>,
);

fn day(date: NaiveDate) -> String {
    date.format("%-d %B %Y").to_string()
}

fn moment(at: DateTime<Utc>) -> String {
    let local = at.with_timezone(&London);
    format!("{}, {}", local.format("%H:%M"), day(local.date_naive()))
}

fn back(refund: Pence) -> String {
    if refund == Pence::ZERO {
        "nothing".to_owned()
    } else {
        format!("{}, to the card you paid with", sum(refund))
    }
}

/// An amount in ASCII: letters travel as they are.
fn sum(amount: Pence) -> String {
    amount.to_string().replace('\u{a3}', "GBP ")
}
