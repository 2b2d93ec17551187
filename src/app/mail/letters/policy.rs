//! The letters about a policy: each says what happened, what it means in money and days, and
//! where its documents are.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Europe::London;

use crate::app::mail::letters::changes;
use crate::app::mail::letters::draft::{Draft, Words, sum};
use crate::app::mail::letters::event::PolicyEvent;
use crate::config::Site;
use crate::documents::data::HelpLine;
use crate::domain::dates::in_words;
use crate::domain::money::Pence;
use crate::domain::renewal::COMPARE;

/// What every page, letter and document calls the term that runs now (docs/GLOSSARY.md).
const CURRENT_COVER: &str = "Your current cover";
/// What they call the term after it.
const NEXT_YEAR: &str = "Your next year";

/// A letter about a policy, with what it needs to know.
#[derive(Clone, Debug)]
pub struct PolicyLetter {
    /// The product's title.
    pub product: String,
    /// The policy's reference.
    pub reference: String,
    /// The page of the policy and its documents.
    pub page: String,
    /// Whether it covers single trips, which are never renewed.
    pub single_trip: bool,
    /// How its reader sets a first password; none where it is in an account.
    pub first_password: Option<FirstPassword>,
    /// What happened.
    pub event: PolicyEvent,
}

/// How the mailbox of a policy that is in no account sets a first password.
#[derive(Clone, Debug)]
pub struct FirstPassword {
    /// The link: 7 days, once.
    pub link: String,
    /// The code that does the same on the page where the policy was paid.
    pub code: Option<String>,
    /// The page that mails another link.
    pub again: String,
}

const SET_A_PASSWORD: &str = "It is not in an account yet. Set a password to see your policy and its \
                              documents, and to change, renew or cancel it.";

const SET_A_PASSWORD_FOR_TRIPS: &str = "It is not in an account yet. Set a password to see your policy \
                                        and its documents, and to change or cancel it.";

const IN_YOUR_ACCOUNT: &str = "It is in your account. Log in with this email address to see it, change \
                               it or cancel it.";

const NOT_CHARGED: &str = "It was to renew by itself, but we did not charge the card that paid for it. \
                           Nothing was taken.";

const WHY: &str = "You get this email because you hold this policy. We send it as a service, not as \
                   advertising.";

impl PolicyLetter {
    pub(in crate::app) fn draft(&self, site: &Site) -> Draft<'_> {
        let (subject, title, mut says, more) = self.words(site);
        let mut facts = vec![
            ("Policy", self.product.clone()),
            ("Reference", self.reference.clone()),
        ];
        facts.extend(more);
        let button = match &self.event {
            PolicyEvent::RenewalQuoted { quote, .. } => ("Look at your renewal", quote.as_str()),
            PolicyEvent::CardRefused {
                quote: Some(quote), ..
            } => ("Renew now", quote.as_str()),
            PolicyEvent::Ended {
                renewable: Some((_, quote)),
                ..
            } => ("Look at your renewal", quote.as_str()),
            PolicyEvent::Ended {
                uncharged: Some(page),
                ..
            } => ("Get a new quote", page.as_str()),
            PolicyEvent::Ended { .. }
            | PolicyEvent::NotRenewable { .. }
            | PolicyEvent::CardRefused { .. }
            | PolicyEvent::CardUnclear { .. } => ("See your policy", self.page.as_str()),
            _ => ("See your policy and documents", self.page.as_str()),
        };
        if let Some(first) = &self.first_password {
            let invites = if self.single_trip {
                SET_A_PASSWORD_FOR_TRIPS
            } else {
                SET_A_PASSWORD
            };
            says.insert(says.len().min(1), invites.to_owned());
            let code = first.code.clone();
            facts.extend(code.map(|code| ("Code for the page where you paid", code)));
            let (does, page) = button;
            return Draft {
                subject,
                title,
                says,
                facts,
                button: Some(("Set a password", &first.link)),
                note: Some(match first.code {
                    Some(_) => "The link or the code works once, in the next 7 days.",
                    None => "The link works once, in the next 7 days.",
                }),
                also: Some(("With your password you log in here.", does, page)),
                question: "Too late, or something not right?",
                advice: format!("Ask for another link, or call us on {}.", site.phone),
                remedy: Some(("Ask for another link", first.again.clone())),
                why: WHY,
            };
        }
        if let PolicyEvent::Bought { .. } = self.event {
            says.insert(says.len().min(1), IN_YOUR_ACCOUNT.to_owned());
        }
        // Where the button leads to the quote, a second link leads to the documents.
        let also = (button.1 != self.page).then_some((
            "Your renewal notice and the documents of your policy are in your account.",
            "See your policy and documents",
            self.page.as_str(),
        ));
        Draft {
            subject,
            title,
            says,
            facts,
            button: Some(button),
            note: Some("The page asks you to log in. Your documents are there within minutes."),
            also,
            question: "Something not right?",
            advice: format!("Call us on {} and we'll look at it with you.", site.phone),
            remedy: None,
            why: WHY,
        }
    }

    fn words(&self, site: &Site) -> Words {
        let brand = &site.brand;
        let reference = &self.reference;
        match &self.event {
            PolicyEvent::Bought {
                help,
                begins,
                follows,
                expiry,
                paid,
                renewable,
                charge_on,
            } => (
                format!("Your {brand} policy {reference}"),
                "Your policy is set up",
                vec![
                    "Thank you. Your payment has arrived and your policy is set up.".to_owned(),
                    match follows {
                        Some((earlier, last)) => format!(
                            "Your policy {earlier} covers you until the end of {}, and this one \
                             from then on.",
                            in_words(*last)
                        ),
                        None => format!("Your cover begins at {}.", moment(*begins)),
                    },
                    help_sentence(help),
                ],
                [
                    Some(("Cover begins", moment(*begins))),
                    Some(("Cover ends", format!("end of {}", in_words(*expiry)))),
                    Some(("You paid", sum(*paid))),
                    renewable.then(|| (NEXT_YEAR, by_itself(*charge_on))),
                ]
                .into_iter()
                .flatten()
                .collect(),
            ),
            PolicyEvent::Change(change) => changes::of_change(change).about(brand, reference),
            PolicyEvent::End(end) => changes::of_end(end).about(brand, reference),
            PolicyEvent::RenewalQuoted {
                starts,
                last_year,
                price,
                new_customer,
                charge_on,
                change_from,
                ..
            } => (
                format!("Your {brand} renewal: policy {reference}"),
                "Your cover is due for renewal",
                vec![
                    match (charge_on, price) {
                        (Some(on), _) => format!(
                            "Your policy renews by itself. We charge the card that paid for it \
                             on {}. You can switch that off in one press in your account.",
                            in_words(*on)
                        ),
                        (None, Some(_)) => "Your policy doesn't renew by itself. To stay \
                                            covered, please renew it before it ends."
                            .to_owned(),
                        (None, None) => "We need some answers from you before we can renew your \
                                         policy. To stay covered, please complete them before \
                                         it ends."
                            .to_owned(),
                    },
                    COMPARE.to_owned(),
                ]
                .into_iter()
                .chain(change_from.map(|from| {
                    format!(
                        "The change that you agreed for {} is counted in, in the prices of your \
                         current cover and of your next year.",
                        in_words(from)
                    )
                }))
                .collect(),
                compared(*last_year, *price, *new_customer, *starts),
            ),
            PolicyEvent::NotRenewable { expiry, reason } => (
                format!("Your {brand} policy {reference} can't be renewed"),
                "We can't renew this cover as it is",
                vec![reason.clone()],
                vec![("Cover ends", format!("end of {}", in_words(*expiry)))],
            ),
            PolicyEvent::CardRefused {
                expiry,
                quote: None,
                ..
            } => (
                format!("Your {brand} policy {reference} is not renewed"),
                "Your card has not paid for your next year",
                vec![
                    "The card that paid for your policy has not paid for its renewal. Nothing was \
                     taken."
                        .to_owned(),
                    "Your policy has run to its end. You are no longer covered by it.".to_owned(),
                ],
                vec![("Ended", format!("end of {}", in_words(*expiry)))],
            ),
            PolicyEvent::CardUnclear { expiry, over } => (
                format!("Your {brand} policy {reference} and your card"),
                "We don't know whether your card was charged",
                vec![
                    "We asked the card that paid for your policy to pay for its renewal, and could not \
                     find out whether it did."
                        .to_owned(),
                    if *over {
                        "Your policy has run to its end. Until we know, please take it that you are \
                         no longer covered."
                            .to_owned()
                    } else {
                        "Your policy covers you until its last day.".to_owned()
                    },
                    format!(
                        "Please call us on {} before you pay again. If the card was charged, that \
                         pays for your next year, or goes back to the card.",
                        site.phone
                    ),
                ],
                vec![(
                    if *over { "Ended" } else { "Cover ends" },
                    format!("end of {}", in_words(*expiry)),
                )],
            ),
            PolicyEvent::CardRefused { expiry, price, .. } => (
                format!("Your {brand} policy {reference} is not renewed yet"),
                "We couldn't renew your policy",
                vec![
                    "The card that paid for your policy has not paid for its renewal. Nothing was \
                     taken. To stay covered, please renew with a card today."
                        .to_owned(),
                ],
                vec![
                    (NEXT_YEAR, renewal_price(*price)),
                    ("Cover ends", format!("end of {}", in_words(*expiry))),
                ],
            ),
            PolicyEvent::Ended {
                expiry,
                renewable,
                charging,
                uncharged,
            } => (
                format!("Your {brand} policy {reference} has ended"),
                "Your policy has ended",
                std::iter::once(
                    "Your policy has run to its end. You are no longer covered by it.".to_owned(),
                )
                .chain(uncharged.as_ref().map(|_| NOT_CHARGED.to_owned()))
                .chain(renewable.as_ref().map(|(until, _)| {
                    format!(
                        "You can still renew it until the end of {}. The new cover begins when you \
                         pay, not before.",
                        in_words(*until)
                    )
                }))
                .chain(charging.then(|| {
                    format!(
                        "We asked the card that paid for it to pay for your next year, and don't know \
                         yet whether it did. Please call us on {} before you pay again.",
                        site.phone
                    )
                }))
                .collect(),
                vec![("Ended", format!("end of {}", in_words(*expiry)))],
            ),
        }
    }
}

fn moment(at: DateTime<Utc>) -> String {
    let local = at.with_timezone(&London);
    format!(
        "{}, {}",
        local.format("%H:%M"),
        in_words(local.date_naive())
    )
}

/// Whether and when the next year is charged.
fn by_itself(charge_on: Option<NaiveDate>) -> String {
    match charge_on {
        Some(on) => format!(
            "renews by itself; the card that paid is charged on {}",
            in_words(on)
        ),
        None => "doesn't renew by itself".to_owned(),
    }
}

/// The prices of a renewal, called what the website and the renewal notice call them.
fn compared(
    current: Pence,
    price: Option<Pence>,
    new_customer: Option<Pence>,
    starts: NaiveDate,
) -> Vec<(&'static str, String)> {
    let last_day = in_words(starts.pred_opt().unwrap_or(starts));
    let mut facts = vec![
        (CURRENT_COVER, format!("{}, until {last_day}", sum(current))),
        (
            NEXT_YEAR,
            format!("{}, from {}", renewal_price(price), in_words(starts)),
        ),
    ];
    facts.extend(new_customer.map(|price| ("A new customer today", sum(price))));
    facts
}

fn help_sentence(help: &HelpLine) -> String {
    let phone = &help.phone;
    match &help.answered {
        Some(hours) => format!("If you need help under this cover, call {phone}. {hours}."),
        None => format!("If you need help under this cover, call {phone}."),
    }
}

fn renewal_price(price: Option<Pence>) -> String {
    price.map_or("please complete your answers".to_owned(), sum)
}
