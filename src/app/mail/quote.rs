//! The letters about quotes: a link that resumes one, with a link to the first password of a new
//! customer.

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use crate::app::accounts::links;
use crate::app::mail::addressee::{as_typed, user_of_address};
use crate::app::mail::letters::Letter;
use crate::app::{App, AppError, access, new_id, page_addresses, rows};
use crate::domain::account::{LinkUse, User};
use crate::domain::dates;
use crate::domain::product::Product;
use crate::domain::quote::Quote;
use crate::domain::{summary, term};
use crate::secret::Token;
use crate::store::tables::{self, QuoteMails};
use crate::store::{Direction, Read, WriteTx};

/// Mails about quotes to one address within a day.
const QUOTE_MAILS_A_DAY: usize = 3;

/// Days without letters about quotes to an address that refused its mail.
const REFUSED_FOR: i64 = 30;

impl App {
    /// Mails a link that resumes an unclaimed quote of the address `name`: the newest one, unless a
    /// link to `quote` itself was asked for. The letter has a link to a first password too, where
    /// the address has no password yet; a new address becomes a user.
    ///
    /// What was mailed is noted after it is sent: a letter that was interrupted by a stop is
    /// written again.
    pub(in crate::app) async fn mail_quote(&self, name: &str, quote: Uuid) -> Result<(), AppError> {
        let _guard = self.letters_in_flight.begin(name)?;
        let now = self.clock.now();
        let name = name.to_string();
        let about = self
            .store
            .read(|tx| quote_to_mail(tx, &name, quote))
            .await?;
        let Some(about) = about else {
            return Ok(());
        };
        let (resume, first) = (access::new_quote_token(about)?, Token::random()?);
        let (resume_hash, first_hash) = (resume.1, first.hash());
        let (key, fresh) = (name.clone(), new_id(now));
        let given = resume_hash.clone();
        let prepared = self
            .store
            .write(move |tx| {
                let Some((mut quote, user)) = to_mail(tx, &key, (quote, about), fresh, now)? else {
                    forget_asked(tx, &key, quote)?;
                    return Ok(None);
                };
                let is_first = user.password_hash.is_none();
                if is_first {
                    links::keep(tx, first_hash, user.uuid, LinkUse::FirstPassword, now)?;
                }
                quote.give_resume(given.clone());
                rows::quotes::put(tx, &quote)?;
                Ok::<_, AppError>(Some((quote, is_first)))
            })
            .await?;
        let Some((found, is_first)) = prepared else {
            return Ok(());
        };
        let product = self
            .store
            .read(|tx| self.products.by_hash(tx, &found.current.product_hash))
            .await?;
        let chosen = chosen(&product, &found);
        let price = price(&product, &found);
        // The last day of the price. It may run out at midnight, which belongs to the next day.
        let last_day = |end: DateTime<Utc>| dates::london_date(end - Duration::seconds(1));
        let resume = page_addresses::resume_quote(&self.public_url, about, resume.0.expose());
        let first_password = is_first.then(|| self.password_page(&first));
        let letter = Letter::QuoteSaved {
            product: &product.info().product_title,
            reference: &found.reference,
            resume: &resume,
            chosen: chosen.as_deref(),
            price: price.as_deref().zip(found.expires.map(last_day)),
            open_until: last_day(found.lives_until()),
            first_password: first_password.as_deref(),
        };
        let sent = self.deliver(as_typed(&found, &name), &letter).await;
        let is_sent = sent.is_ok();
        self.store
            .write(move |tx| {
                if is_sent {
                    note_mailed(tx, &name, about, &resume_hash, now)?;
                    return forget_asked(tx, &name, quote);
                }
                rows::links::delete(tx, first_hash)?;
                if let Some(mut quote) = tables::QUOTES.get(tx, &about)? {
                    quote.resume.retain(|hash| *hash != resume_hash);
                    rows::quotes::put(tx, &quote)?;
                }
                Ok::<_, AppError>(())
            })
            .await?;
        sent
    }
}

/// What was chosen, without anything that a visitor was free to type.
fn chosen(product: &Product, quote: &Quote) -> Option<String> {
    let lines = summary::for_letter(product, &quote.current.answers);
    let lines = lines.iter().map(|line| in_ascii(line));
    let lines: Vec<_> = lines.filter(|line| line.is_ascii()).collect();
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// What the quote costs, and for how long that is.
fn price(product: &Product, quote: &Quote) -> Option<String> {
    let price = quote.current.price.as_ref()?;
    let basis = term::basis_of(product, &quote.current.answers, price);
    Some(in_ascii(&price.in_words(basis)))
}

/// A letter's words are ASCII, so that no mail server has to encode them.
fn in_ascii(text: &str) -> String {
    text.replace('\u{a3}', "GBP ")
}

/// The quote that the letter is about: `quote` itself where a link to it was asked for, or else the
/// newest unclaimed quote of the address `name`.
fn quote_to_mail(tx: &impl Read, name: &String, quote: Uuid) -> Result<Option<Uuid>, AppError> {
    let mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    if mails.asked.contains(&quote) {
        return Ok(Some(quote));
    }
    let newest = tables::UNCLAIMED_BY_NAME.list(tx, name, Direction::Backward, 1)?;
    Ok(newest.first().map(|((_, newest), ())| *newest))
}

/// The quote `about` and the user of its address, if the letter for `quote` is to be sent. It isn't
/// where a letter about a newer quote was sent, the daily limit is reached, or the address refuses
/// mail.
fn to_mail(
    tx: &mut WriteTx<'_>,
    name: &String,
    (quote, about): (Uuid, Uuid),
    fresh: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<(Quote, User)>, AppError> {
    let mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    let today = mails.sent.iter().filter(|at| is_within_a_day(**at, now));
    let refused = tables::REFUSED_ADDRESSES.get(tx, name)?;
    let is_refused = refused.is_some_and(|refused| now < refused.at + Duration::days(REFUSED_FOR));
    let is_asked = about == quote && mails.asked.contains(&quote);
    let is_mailed = !is_asked && newest_mailed(tx, &mails)?.is_some_and(|newest| newest >= quote);
    if is_refused || is_mailed || today.count() >= QUOTE_MAILS_A_DAY {
        return Ok(None);
    }
    let found = tables::QUOTES.get(tx, &about)?;
    // A quote that was taken over or given another address since is not mailed to this one.
    let found = found.filter(|found| found.owner.is_none() && found.mailbox.as_ref() == Some(name));
    // Of a quote that was bought its policy's letters say what there is to say.
    let Some(found) = found.filter(|found| !found.status.is_policy()) else {
        return Ok(None);
    };
    let user = user_of_address(tx, name, &found, fresh, now)?;
    Ok(Some((found, user)))
}

/// Notes that a link to exactly this quote was asked for: a letter about a newer quote doesn't
/// replace it.
pub(in crate::app) fn note_asked(
    tx: &mut WriteTx<'_>,
    name: &String,
    quote: Uuid,
) -> Result<(), AppError> {
    let mut mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    if !mails.asked.contains(&quote) {
        mails.asked.push(quote);
        rows::mails::put_quote_mails(tx, name, &mails)?;
    }
    Ok(())
}

/// Removes the note that a link to this quote was asked for: it was sent, or will never be.
fn forget_asked(tx: &mut WriteTx<'_>, name: &String, quote: Uuid) -> Result<(), AppError> {
    if let Some(mut mails) = tables::QUOTE_MAILS.get(tx, name)?
        && mails.asked.contains(&quote)
    {
        mails.asked.retain(|asked| *asked != quote);
        rows::mails::put_quote_mails(tx, name, &mails)?;
    }
    Ok(())
}

/// The newest quote that was mailed about, while the link in that letter still works: saving the
/// quote with another address ends the link.
fn newest_mailed(tx: &impl Read, mails: &QuoteMails) -> Result<Option<Uuid>, AppError> {
    let (Some(newest), Some(link)) = (mails.newest, &mails.link) else {
        return Ok(mails.newest);
    };
    let quote = tables::QUOTES.get(tx, &newest)?;
    let counts = quote.is_some_and(|quote| quote.resume.contains(link));
    Ok(counts.then_some(newest))
}

/// Notes that a letter about `quote` was sent, with the hash of its link.
fn note_mailed(
    tx: &mut WriteTx<'_>,
    name: &String,
    quote: Uuid,
    link: &str,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let mut mails = tables::QUOTE_MAILS.get(tx, name)?.unwrap_or_default();
    mails.sent.retain(|at| is_within_a_day(*at, now));
    mails.sent.push(now);
    if newest_mailed(tx, &mails)?.is_none_or(|newest| newest <= quote) {
        mails.newest = Some(quote);
        mails.link = Some(link.to_string());
    }
    rows::mails::put_quote_mails(tx, name, &mails)?;
    Ok(())
}

fn is_within_a_day(at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now < at + Duration::days(1)
}
