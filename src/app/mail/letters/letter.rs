//! What each letter to a customer says, as a web page and as plain text.
//!
//! A letter about a quote carries no text that a visitor was free to type: anybody can type another's
//! address. It names options in the product's words, and registration marks, which have been checked
//! (`domain::summary::for_letter`). The words keep to ASCII, so that no mail server has to encode
//! them.

use chrono::NaiveDate;

use crate::app::mail::letters::draft::Draft;
use crate::app::mail::letters::layout;
use crate::app::mail::letters::money::MoneyLetter;
use crate::app::mail::letters::policy::PolicyLetter;
use crate::app::page_addresses;
use crate::config::Site;
use crate::domain::dates::in_words;

/// A letter, with what it needs to know. Links are whole addresses.
#[derive(Clone, Copy, Debug)]
pub enum Letter<'a> {
    /// A quote was saved.
    QuoteSaved {
        /// The product's title.
        product: &'a str,
        /// The quote's reference.
        reference: &'a str,
        /// The link that goes on with it.
        resume: &'a str,
        /// What was chosen, in the product's words.
        chosen: Option<&'a str>,
        /// What it costs and the last day of that price, when it has one.
        price: Option<(&'a str, NaiveDate)>,
        /// Whether it is for trips, which have days of their own.
        trip: bool,
        /// What underwriting said, where it declined it or a person has to look at it.
        refused: Option<Refused<'a>>,
        /// The last day on which the link opens it.
        open_until: NaiveDate,
        /// The link to set a first password, when the address is new here.
        first_password: Option<&'a str>,
    },
    /// Somebody who has an account without a password asked for a link to set one.
    FirstPassword {
        /// The link: 7 days, once.
        link: &'a str,
    },
    /// Somebody asked for a new password.
    ResetPassword {
        /// The link: 1 hour, once.
        link: &'a str,
    },
    /// A password was set or changed.
    PasswordChanged,
    /// To a new mailbox: is it yours?
    ConfirmAddress {
        /// The link to a page that asks for one press.
        link: &'a str,
    },
    /// To the old mailbox: the new one has confirmed.
    AddressChanged,
    /// To the old mailbox: somebody asked for a change.
    AddressChangeAsked,
    /// What happened to a policy.
    Policy(&'a PolicyLetter),
    /// Money that comes back.
    Money(&'a MoneyLetter),
    /// To a new mailbox that has an account of its own.
    AddressTaken {
        /// The link to a new password for that account: 1 hour, once.
        reset: &'a str,
    },
}

impl Letter<'_> {
    /// Writes the letter. `public_url` is the shop's address, without a slash at its end.
    #[must_use]
    pub fn write(&self, site: &Site, public_url: &str) -> Written {
        let draft = self.draft(site, public_url);
        Written {
            html: layout::page(&draft, site, public_url),
            text: layout::plain(&draft, site, public_url),
            subject: draft.subject,
        }
    }

    fn draft(&self, site: &Site, public_url: &str) -> Draft<'_> {
        let (brand, phone) = (&site.brand, &site.phone);
        let call = format!("call us on {phone}");
        let account = "You get this email because this address belongs to an account with us.";
        let ask = || {
            let page = page_addresses::retrieve_password(public_url);
            Some(("Ask for a new password", page))
        };
        match *self {
            Self::QuoteSaved {
                product,
                reference,
                resume,
                chosen,
                price,
                trip,
                refused,
                open_until,
                first_password,
            } => Draft {
                subject: format!("Your {brand} quote {reference}"),
                title: match refused {
                    Some(Refused { declined: true, .. }) => "We can't offer you this cover",
                    Some(_) => "We have to look at your quote",
                    None => "Your quote is saved",
                },
                says: saved(price.is_some(), trip, refused),
                facts: [
                    Some(("Quote", product.to_owned())),
                    Some(("Reference", reference.to_owned())),
                    chosen.map(|chosen| ("You chose", chosen.to_owned())),
                    price.map(|(price, _)| ("Price", price.to_owned())),
                    price.map(|(_, day)| ("Price held until", end_of(day))),
                    Some(("Quote and link live until", end_of(open_until))),
                ]
                .into_iter()
                .flatten()
                .collect(),
                button: Some(("Go to your quote", resume)),
                note: Some(
                    "The link opens this quote only. Anyone who has it can see the quote, so \
                     please keep this email to yourself.",
                ),
                also: first_password.map(|link| {
                    let why = "With a password you can find all your quotes and policies in one \
                               place. You don't need one to buy. The link works once, in the next \
                               7 days.";
                    (why, "Set a password", link)
                }),
                question: "Not your quote?",
                advice: format!(
                    "Somebody may have mistyped their address. You don't need to do anything: \
                     nothing has been bought. If it bothers you, {call}."
                ),
                remedy: None,
                why: "You get this email because this address was given for a quote. We send it \
                      as a service, not as advertising.",
            },
            Self::FirstPassword { link } => Draft {
                subject: format!("Set your {brand} password"),
                title: "Set your password",
                says: vec![
                    "With a password you can see your quotes and policies, and change your \
                     details, whenever you like."
                        .to_owned(),
                ],
                facts: Vec::new(),
                button: Some(("Set your password", link)),
                note: Some("The link works once, in the next 7 days."),
                also: None,
                question: "Not expecting this?",
                advice: "You can ignore it. Without the link, nobody can set a password for you."
                    .to_owned(),
                remedy: None,
                why: account,
            },
            Self::ResetPassword { link } => Draft {
                subject: format!("Reset your {brand} password"),
                title: "Reset your password",
                says: vec![
                    "You asked for a new password. Choose one here. You will be logged out \
                     everywhere, and can then log in with the new one."
                        .to_owned(),
                ],
                facts: Vec::new(),
                button: Some(("Choose a new password", link)),
                note: Some("The link works once, in the next hour."),
                also: None,
                question: "Not you?",
                advice: format!(
                    "You can ignore this email: your password stays as it is. If more of these \
                     arrive, {call}. We never ask for your password or this link."
                ),
                remedy: None,
                why: account,
            },
            Self::PasswordChanged => Draft {
                subject: format!("Your {brand} password was set"),
                title: "A password was set",
                says: vec![
                    "A password has just been set for your account: your first one, or one in \
                     place of another. Whoever was logged in has been logged out."
                        .to_owned(),
                    "If that was you, there is nothing more to do.".to_owned(),
                ],
                facts: Vec::new(),
                button: None,
                note: None,
                also: None,
                question: "Not you?",
                advice: format!("Ask for a new password straight away, and {call}."),
                remedy: ask(),
                why: account,
            },
            Self::ConfirmAddress { link } => Draft {
                subject: format!("Confirm your email address for {brand}"),
                title: "Is this your new address?",
                says: vec![
                    "Somebody who is logged in to an account with us wants to use this address \
                     from now on. If that was you, please confirm it: the link opens a page with \
                     one button to press."
                        .to_owned(),
                    "Until then we keep writing to the old address.".to_owned(),
                ],
                facts: Vec::new(),
                button: Some(("Confirm this address", link)),
                note: Some("The link works once."),
                also: None,
                question: "Not you?",
                advice: "Somebody may have mistyped their address. Please ignore this email and \
                         don't confirm: their account would be tied to your address."
                    .to_owned(),
                remedy: None,
                why: "You get this email because this address was given for an account with us.",
            },
            Self::AddressChanged => Draft {
                subject: format!("Your {brand} email address was changed"),
                title: "Your email address was changed",
                says: vec![
                    "Your account now has the new address that you asked for, and it has been \
                     confirmed. This is the last email we send to the old one."
                        .to_owned(),
                    "If that was you, there is nothing more to do.".to_owned(),
                ],
                facts: Vec::new(),
                button: None,
                note: None,
                also: None,
                question: "Not you?",
                advice: format!("Please {call} straight away, so that we can put it right."),
                remedy: None,
                why: "You get this email because this address belonged to an account with us.",
            },
            Self::AddressChangeAsked => Draft {
                subject: format!("A new email address for your {brand} account"),
                title: "A new address was asked for",
                says: vec![
                    "Somebody who is logged in to your account asked us to use another email \
                     address from now on. We have written to that one too. Nothing changes until \
                     it is confirmed there."
                        .to_owned(),
                    "If that was you, there is nothing to do here.".to_owned(),
                ],
                facts: Vec::new(),
                button: None,
                note: None,
                also: None,
                question: "Not you?",
                advice: format!(
                    "Ask for a new password straight away, which logs everyone out, and {call}."
                ),
                remedy: ask(),
                why: account,
            },
            Self::Policy(letter) => letter.draft(site),
            Self::Money(letter) => letter.draft(site),
            Self::AddressTaken { reset } => Draft {
                subject: format!("You already have a {brand} account"),
                title: "You already have an account",
                says: vec![
                    "Somebody asked to use this address for another account with us. It has an \
                     account already, so nothing was changed."
                        .to_owned(),
                    "If that was you, log in with this address. If you don't know the password \
                     any more, you can choose a new one."
                        .to_owned(),
                ],
                facts: Vec::new(),
                button: Some(("Choose a new password", reset)),
                note: Some("The link works once, in the next hour."),
                also: None,
                question: "Not you?",
                advice: format!(
                    "You can ignore this email: your account and its password stay as they are. \
                     If more of these arrive, {call}."
                ),
                remedy: None,
                why: account,
            },
        }
    }
}

/// That underwriting doesn't sell a quote as it is.
#[derive(Clone, Copy, Debug)]
pub struct Refused<'a> {
    /// Whether it was declined; otherwise a person looks at it.
    pub declined: bool,
    /// Why, in the product's words.
    pub reason: &'a str,
}

/// What a quote that was saved is good for.
fn saved(priced: bool, trip: bool, refused: Option<Refused<'_>>) -> Vec<String> {
    let day = if trip { "new dates" } else { "a new start day" };
    match refused {
        Some(Refused { declined, reason }) => {
            let can_be_bought = if declined {
                "We have kept your answers, but this cover can't be bought with them. If one of \
                 them isn't right, you can correct it and save the quote again."
            } else {
                "We have kept your answers. This cover can't be bought until we have looked at \
                 them."
            };
            vec![reason.to_owned(), can_be_bought.to_owned()]
        }
        None if priced => vec![format!(
            "Thank you for your quote. Come back to it to buy, or to change your answers: the \
             price can change with them. When the price is no longer held, you can still choose \
             {day} and save your quote, at the price of that day."
        )],
        None => {
            vec!["We have kept your answers, so you can carry on where you left off.".to_owned()]
        }
    }
}

fn end_of(day: NaiveDate) -> String {
    format!("end of {}", in_words(day))
}

/// A letter in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What it is about.
    pub subject: String,
    /// What it says, as a web page.
    pub html: String,
    /// What it says, as plain text. Every link stands whole on a line of its own.
    pub text: String,
}
