//! Letters about quotes: a link that resumes a quote, and a first-password link for a new customer.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use crate::app::accounts::links;
use crate::app::letters::account::password_page;
use crate::app::letters::delivery::recipient::{as_typed, user_of_address};
use crate::app::letters::delivery::{self, quote_letters};
use crate::app::letters::{HeldPrice, Letter, LetterEvent, Refusal, in_ascii};
use crate::app::{App, AppError, access, new_id, page_addresses};
use crate::domain::account::{LinkUse, User};
use crate::domain::money::price::{Basis, Per};
use crate::domain::policy::term;
use crate::domain::product::Product;
use crate::domain::quote::answers::Answers;
use crate::domain::quote::{Quote, QuoteStatus, summary};
use crate::domain::time::dates;
use crate::domain::uk::email;
use crate::secret::Token;
use crate::store::{WriteTx, tables};

/// Mails a link that resumes the quote whose letter waits for `mailbox`. An address without a
/// password also gets a first-password link. A new address becomes a user. Returns whether no
/// letter waits now.
///
/// The letter is recorded after the delivery. So the next run sends the letter again if a crash
/// interrupted the job.
pub(in crate::app) async fn mail_quote(app: &App, mailbox: &str) -> Result<bool, AppError> {
    let _guard = app.letters_in_flight.begin(mailbox)?;
    let now = app.clock.now();
    let mailbox = mailbox.to_string();
    let mails = app
        .store
        .read(|tx| tables::QUOTE_MAILS.get(tx, &mailbox))
        .await?;
    let Some(waiting) = mails.and_then(|mails| mails.waiting) else {
        return Ok(true);
    };
    let quote_id = waiting.quote;
    let (resume, first) = (access::new_quote_token(quote_id)?, Token::random()?);
    let (resume_hash, first_hash) = (resume.1, first.hash());
    let (key, new_user_id) = (mailbox.clone(), new_id(now));
    let hash = resume_hash.clone();
    let prepared = app
        .store
        .write(move |tx| {
            let Some((mut quote, name, user)) = to_mail(tx, &key, quote_id, new_user_id, now)?
            else {
                let is_all = quote_letters::remove_waiting(tx, &key, quote_id)?;
                return Ok(Err(is_all));
            };
            let is_first = user.password_hash.is_none();
            if is_first {
                links::insert_link(tx, first_hash, user.uuid, LinkUse::FirstPassword, now)?;
            }
            quote.give_resume(hash.clone());
            tables::QUOTES.put(tx, &quote.uuid, &quote)?;
            Ok::<_, AppError>(Ok((quote, name, is_first)))
        })
        .await?;
    let (found, name, is_first) = match prepared {
        Ok(prepared) => prepared,
        Err(is_all) => return Ok(is_all),
    };
    let product = app
        .store
        .read(|tx| app.products.by_hash(tx, &found.current.product_hash))
        .await?;
    let refused = matches!(found.status, QuoteStatus::Declined | QuoteStatus::Refer);
    let price = format_price(&product, &found).zip(found.expires);
    // A price that ends at midnight has the day before as its last day.
    let last_day =
        |end: DateTime<Utc>| dates::format_long(dates::london_date(end - Duration::seconds(1)));
    let letter = Letter::from(LetterEvent::QuoteSaved {
        product: product.info().product_title.clone(),
        reference: found.reference.clone(),
        resume_link: page_addresses::resume_quote(&app.public_url, quote_id, resume.0.expose()),
        choices: format_choices(&product, &found.current.answers),
        held_price: price.map(|(amount, end)| HeldPrice {
            amount,
            last_day: last_day(end),
        }),
        is_for_trips: (found.current.price.as_ref()).is_some_and(|price| price.per == Per::Trip),
        refusal: refused.then(|| Refusal {
            is_declined: found.status == QuoteStatus::Declined,
            reason: in_ascii(found.reason.as_deref().unwrap_or_default()),
        }),
        open_until: last_day(found.expires_at()),
        password_link: is_first.then(|| password_page(&app.public_url, &first)),
    });
    let sent = delivery::send_letter(app, as_typed(&found, &name), &letter).await;
    let is_sent = sent.is_ok();
    let is_all = app
        .store
        .write(move |tx| {
            if is_sent {
                quote_letters::record_sent(tx, &mailbox, now)?;
                return quote_letters::remove_waiting(tx, &mailbox, quote_id);
            }
            tables::LINKS.delete(tx, &first_hash)?;
            if let Some(mut quote) = tables::QUOTES.get(tx, &quote_id)? {
                quote.resume.retain(|hash| *hash != resume_hash);
                tables::QUOTES.put(tx, &quote.uuid, &quote)?;
            }
            Ok::<_, AppError>(false)
        })
        .await?;
    sent.map(|()| is_all)
}

/// Returns the chosen options, without texts that a visitor could type freely. Returns `None` if no
/// line of options is in ASCII.
pub(super) fn format_choices(product: &Product, answers: &Answers) -> Option<String> {
    let lines = summary::for_letter(product, answers);
    let lines = lines.iter().map(|line| in_ascii(line));
    let lines: Vec<_> = lines.filter(|line| line.is_ascii()).collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// Returns the price of the quote, with its period, or `None` if the quote has no price.
fn format_price(product: &Product, quote: &Quote) -> Option<String> {
    let price = quote.current.price.as_ref()?;
    let basis = term::price_basis(product, &quote.current.answers, price);
    let several = term::trips(product, &quote.current.answers) > 1;
    Some(in_ascii(&if several && basis == Basis::Term {
        format!("{} for all your trips together", price.total)
    } else {
        price.format_total(basis)
    }))
}

/// Returns the quote, its address and the user of this address, if the letter may be sent. Returns
/// `None` if the quote was bought, claimed, deleted or moved to another mailbox. Returns `None` if
/// the daily limit is reached or the address refuses mail.
fn to_mail(
    tx: &mut WriteTx<'_>,
    mailbox: &String,
    quote_id: Uuid,
    new_user_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<(Quote, String, User)>, AppError> {
    let mails = tables::QUOTE_MAILS.get(tx, mailbox)?.unwrap_or_default();
    // The customer of a bought quote gets the letters about the policy instead.
    let found = tables::QUOTES.get(tx, &quote_id)?;
    let found = found.filter(|found| found.owner.is_none() && !found.status.is_policy());
    // If the quote has another address now, this mailbox gets no letter.
    let name = found.as_ref().and_then(|found| found.mailbox.clone());
    let name = name.filter(|name| email::mailbox(name) == *mailbox);
    let Some((found, name)) = found.zip(name) else {
        return Ok(None);
    };
    let refused = tables::REFUSED_ADDRESSES.get(tx, &name)?;
    let is_refused = refused.is_some_and(|refused| quote_letters::is_opted_out(&refused, now));
    if is_refused || quote_letters::is_over_quota(&mails, now) {
        return Ok(None);
    }
    let user = user_of_address(tx, &name, &found, new_user_id, now)?;
    Ok(Some((found, name, user)))
}
