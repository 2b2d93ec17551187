//! The letters about what happens to a policy, to whoever holds it.

use chrono::NaiveDate;
use uuid::Uuid;

use crate::app::accounts::links;
use crate::app::mail::addressee::user_of_address;
use crate::app::mail::coming;
use crate::app::mail::letters::{FirstPassword, Letter, PolicyEvent, PolicyLetter};
use crate::app::payments::attempts;
use crate::app::policies::renewal::NextYear;
use crate::app::policies::{PolicyContext, cancellation};
use crate::app::products::help_line::help_line;
use crate::app::{App, AppError, documents, new_id, page_addresses};
use crate::domain::account::{LinkUse, username};
use crate::domain::dates;
use crate::domain::payment::PaymentStatus;
use crate::domain::policyholder;
use crate::domain::quote::{Quote, QuoteStatus};
use crate::domain::renewal::{self, CardCharge, RenewalEvent};
use crate::domain::transition::Transition;
use crate::secret::{Token, hash_token, random_code};
use crate::store::Read;
use crate::store::tables::{self, PolicyNews};

impl App {
    /// Mails what happened to a policy to its owner, or to the address it was bought with.
    pub(in crate::app) async fn mail_policy(
        &self,
        uuid: Uuid,
        news: PolicyNews,
    ) -> Result<(), AppError> {
        match news {
            PolicyNews::RenewalQuoted { .. } | PolicyNews::NotRenewable { .. } => {
                return self.mail_renewal(uuid).await;
            }
            PolicyNews::Surplus { payment } => return self.mail_surplus(payment).await,
            PolicyNews::RefundOwed { refund } => return self.mail_refund_owed(refund).await,
            PolicyNews::RefundPaid { refund } => return self.mail_refund_paid(refund).await,
            PolicyNews::Disputed { dispute } => return self.mail_disputed(dispute).await,
            PolicyNews::DisputeDecided { dispute } => {
                return self.mail_dispute_decided(dispute).await;
            }
            _ => {}
        }
        let letter = self
            .store
            .read(|tx| {
                let context = self.policy_unchecked(tx, uuid)?;
                let to = mailbox_of(tx, &context)?;
                let event = self.event(tx, &context, news)?;
                let letter = event.map(|event| self.letter(&context, event));
                Ok::<_, AppError>(to.zip(letter))
            })
            .await?;
        match letter {
            Some((to, letter)) => self.deliver_about(uuid, &to, letter).await,
            None => Ok(()),
        }
    }

    /// Sends a letter about the policy. To the mailbox of one that is in no account it has a link that
    /// sets a first password, and after a purchase a code for it, to be typed where it was paid. Where
    /// sending fails they are removed: the next try has its own.
    async fn deliver_about(
        &self,
        policy: Uuid,
        to: &str,
        mut letter: PolicyLetter,
    ) -> Result<(), AppError> {
        let now = self.clock.now();
        let (name, fresh) = (username(to), new_id(now));
        let (link, code) = (Token::random()?, random_code()?);
        let has_code = matches!(letter.event, PolicyEvent::Bought { .. });
        let link_hash = link.hash();
        let code_hash = hash_token(&links::code_secret(policy, code.expose()));
        let is_kept = self
            .store
            .write(move |tx| {
                let quote = tables::QUOTES.get(tx, &policy)?;
                let waits =
                    |quote: &Quote| quote.owner.is_none() && quote.mailbox == Some(name.clone());
                let Some(quote) = quote.filter(waits) else {
                    return Ok(false);
                };
                let user = user_of_address(tx, &name, &quote, fresh, now)?;
                if user.password_hash.is_some() {
                    return Ok(false);
                }
                links::keep(tx, link_hash, user.uuid, LinkUse::FirstPassword, now)?;
                if has_code {
                    links::keep(tx, code_hash, user.uuid, LinkUse::FirstPassword, now)?;
                }
                Ok::<_, AppError>(true)
            })
            .await?;
        letter.first_password = is_kept.then(|| FirstPassword {
            link: self.password_page(&link),
            code: has_code.then(|| written_code(code.expose())),
            again: page_addresses::retrieve_password(&self.public_url),
        });
        let sent = self.deliver(to, &Letter::Policy(&letter)).await;
        if sent.is_err() && is_kept {
            self.store
                .write(move |tx| {
                    tables::LINKS.delete(tx, &link_hash)?;
                    Ok::<_, AppError>(tables::LINKS.delete(tx, &code_hash)?)
                })
                .await?;
        }
        sent
    }

    /// Mails what a renewal costs now, or why there is none, and notes which revision of it the
    /// letter told; orders the renewal notice. Where the quote was saved several times, one letter
    /// about the newest revision is enough.
    async fn mail_renewal(&self, uuid: Uuid) -> Result<(), AppError> {
        let now = self.clock.now();
        let (context, quote, to) = self
            .store
            .read(|tx| {
                let context = self.policy_unchecked(tx, uuid)?;
                let (quote, to) = (self.open_renewal(tx, &context)?, mailbox_of(tx, &context)?);
                Ok::<_, AppError>((context, quote, to))
            })
            .await?;
        // A policy that is to be cancelled is not to be renewed; the letter goes out where the
        // cancellation is withdrawn.
        let Some(quote) = quote.filter(|_| context.policy.coming_end.is_none()) else {
            return Ok(());
        };
        let policy = context.policy.clone();
        let revision = quote.current.number;
        if policy.renewal.quoted().and_then(|quoted| quoted.told) == Some(revision) {
            return Ok(());
        }
        if quote.is_buyable(now) {
            self.store
                .write(move |tx| {
                    documents::order_renewal_notice(tx, &policy, quote.uuid, revision, now)
                })
                .await?;
        }
        let Some(to) = to else {
            return Ok(());
        };
        let event = self.renewal_event(&context, &quote);
        self.deliver_about(uuid, &to, self.letter(&context, event))
            .await?;
        self.store
            .write(move |tx| {
                // A letter that was refused for good has not informed the customer.
                let refused = tables::REFUSED_ADDRESSES.get(tx, &username(&to))?;
                let refused = refused.is_some_and(|refused| now <= refused.at);
                if let Some(mut policy) = tables::POLICIES.get(tx, &uuid)?
                    && !refused
                {
                    let told = RenewalEvent::Told { revision };
                    if let Transition::Applied(renewal) = renewal::apply(policy.renewal, told) {
                        policy.renewal = renewal;
                        tables::POLICIES.put(tx, &policy.uuid, &policy)?;
                    }
                }
                Ok::<_, AppError>(())
            })
            .await
    }

    fn letter(&self, context: &PolicyContext, event: PolicyEvent) -> PolicyLetter {
        PolicyLetter {
            product: context.product.info().product_title.clone(),
            reference: context.quote.reference.clone(),
            page: page_addresses::policy(&self.public_url, context.policy.uuid),
            single_trip: context.is_single_trip(),
            first_password: None,
            event,
        }
    }

    /// What the letter says; none when it no longer matters.
    fn event(
        &self,
        tx: &impl Read,
        context: &PolicyContext,
        news: PolicyNews,
    ) -> Result<Option<PolicyEvent>, AppError> {
        let policy = &context.policy;
        let today = self.today();
        let by_itself = context.next_year(today) == NextYear::ByItself;
        let charge_on = by_itself.then_some(policy.expiry);
        Ok(match news {
            PolicyNews::Bought => Some(PolicyEvent::Bought {
                help: help_line(&context.product, &self.config.site),
                begins: policy.cover_begins,
                follows: self.followed(tx, context)?,
                expiry: policy.expiry,
                paid: policy.paid,
                renewable: !context.is_single_trip(),
                charge_on,
            }),
            PolicyNews::Cancelled => {
                let done = cancellation::done_of(tx, context)?;
                let event = done.map(|done| coming::cancelled(tx, context, &done, today));
                event.transpose()?
            }
            PolicyNews::NotTakenUp => {
                let done = cancellation::done_of(tx, context)?;
                let event = done.map(|done| coming::not_taken_up(tx, context, &done));
                event.transpose()?
            }
            PolicyNews::Changed { .. }
            | PolicyNews::ChangeAgreed { .. }
            | PolicyNews::ChangeWithdrawn { .. }
            | PolicyNews::CancellationAgreed { .. }
            | PolicyNews::CancellationWithdrawn { .. } => coming::event(tx, context, news, today)?,
            // `mail_renewal` sends these, and notes which revision they told.
            PolicyNews::RenewalQuoted { .. } | PolicyNews::NotRenewable { .. } => None,
            // These may be about no policy; `mail_policy` sends them.
            PolicyNews::Surplus { .. }
            | PolicyNews::RefundOwed { .. }
            | PolicyNews::RefundPaid { .. }
            | PolicyNews::Disputed { .. }
            | PolicyNews::DisputeDecided { .. } => None,
            PolicyNews::CardRefused { .. } => self.card_event(tx, context)?,
            // Its renewal may have been paid since.
            PolicyNews::Ended if context.quote.status == QuoteStatus::Expired => {
                let renewal = self.open_renewal(tx, context)?;
                let charging = context.card_charge.is_some();
                let product = context.product.identifier();
                let sold = self.products.is_on_sale(product, None, self.today());
                let buyable = renewal.filter(|renewal| renewal.is_buyable(self.clock.now()));
                let buyable = buyable.filter(|_| !charging);
                Some(PolicyEvent::Ended {
                    charging,
                    expiry: policy.expiry,
                    uncharged: (sold && is_uncharged(tx, context)?)
                        .then(|| page_addresses::new_quote(&self.public_url, product)),
                    renewable: buyable.map(|renewal| {
                        let until = dates::add_days(policy.expiry, 1);
                        (until, self.renewal_page(&renewal))
                    }),
                })
            }
            PolicyNews::Ended => None,
        })
    }

    /// What the letter about the stored card says: that it has not paid for the renewal, or that nobody
    /// knows; none where it has paid since.
    fn card_event(
        &self,
        tx: &impl Read,
        context: &PolicyContext,
    ) -> Result<Option<PolicyEvent>, AppError> {
        let expiry = context.policy.expiry;
        if context.card_charge == Some(PaymentStatus::Unresolved) {
            let over = expiry < self.today();
            return Ok(Some(PolicyEvent::CardUnclear { expiry, over }));
        }
        let open = self.open_renewal(tx, context)?;
        let open = open.filter(|renewal| !is_refused(renewal));
        let price = open.as_ref().and_then(|open| open.current.price.as_ref());
        let price = price.map(|price| price.total);
        let quote = open.map(|renewal| self.renewal_page(&renewal));
        // The bank may have taken so long that it can't be renewed any more.
        let too_late = context.next_year(self.today()) == NextYear::Ended;
        let says_something = quote.is_some() || too_late;
        Ok(says_something.then_some(PolicyEvent::CardRefused {
            expiry,
            price,
            quote,
        }))
    }

    /// The policy that this one renews, while it is live, with the last day that it covers.
    fn followed(
        &self,
        tx: &impl Read,
        context: &PolicyContext,
    ) -> Result<Option<(String, NaiveDate)>, AppError> {
        let Some(earlier) = context.quote.renews else {
            return Ok(None);
        };
        let earlier = self.policy_unchecked(tx, earlier)?;
        let last = earlier.policy.expiry;
        let covers = earlier.quote.status == QuoteStatus::Live
            && earlier.policy.coming_end.is_none()
            && self.today() <= last;
        Ok(covers.then_some((earlier.quote.reference, last)))
    }

    /// What the letter about a renewal says.
    fn renewal_event(&self, context: &PolicyContext, renewal: &Quote) -> PolicyEvent {
        let policy = &context.policy;
        if is_refused(renewal) {
            return PolicyEvent::NotRenewable {
                expiry: policy.expiry,
                reason: renewal.reason.clone().unwrap_or_default(),
            };
        }
        let price = renewal.current.price.as_ref().map(|price| price.total);
        let by_itself = context.next_year(self.today()) == NextYear::ByItself;
        let by_card = by_itself && price.is_some();
        PolicyEvent::RenewalQuoted {
            starts: dates::add_days(policy.expiry, 1),
            last_year: context.premium_to_come(),
            price,
            new_customer: price.and_then(|_| self.new_customer_price(renewal, self.clock.now())),
            charge_on: by_card.then_some(policy.expiry),
            change_from: context.coming.as_ref().map(|change| change.effective),
            quote: self.renewal_page(renewal),
        }
    }

    fn renewal_page(&self, renewal: &Quote) -> String {
        page_addresses::quote(&self.public_url, renewal.uuid)
    }

    /// A policy's renewal quote, unless it was bought, withdrawn or has expired: it can be bought
    /// up to its first day.
    fn open_renewal(
        &self,
        tx: &impl Read,
        context: &PolicyContext,
    ) -> Result<Option<Quote>, AppError> {
        let Some(renewal) = context.policy.renewal.quote() else {
            return Ok(None);
        };
        let row = tables::QUOTES.get(tx, &renewal)?;
        let over = dates::add_days(context.policy.expiry, 1) < self.today();
        Ok(row.filter(|row| {
            let lapsed = row.status_at(self.clock.now()) == QuoteStatus::Lapsed;
            !row.status.may_be_policy() && !lapsed && !over
        }))
    }
}

/// A code as it is read and typed: in two groups.
fn written_code(code: &str) -> String {
    let (first, second) = code.split_at_checked(code.len() / 2).unwrap_or((code, ""));
    format!("{first}-{second}")
}

/// The owner's address; without an owner, the one typed into the quote.
fn mailbox_of(tx: &impl Read, context: &PolicyContext) -> Result<Option<String>, AppError> {
    let owner = match context.quote.owner {
        Some(owner) => tables::USERS.get(tx, &owner)?,
        None => None,
    };
    let own = owner.and_then(|user| user.profile.email_primary);
    let typed = || policyholder::email(&context.revision.answers).map(str::to_string);
    Ok(own.or_else(typed))
}

/// Whether underwriting has declined or referred the renewal.
const fn is_refused(renewal: &Quote) -> bool {
    matches!(renewal.status, QuoteStatus::Declined | QuoteStatus::Refer)
}

/// Whether a policy that has ended was to renew by itself, and its card was never asked to pay.
fn is_uncharged(tx: &impl Read, context: &PolicyContext) -> Result<bool, AppError> {
    let renewal = context.renewal.as_ref();
    let is_open = renewal
        .is_none_or(|quote| matches!(quote.status, QuoteStatus::Quote | QuoteStatus::Lapsed));
    if !is_open || !context.renews_by_itself() || context.is_single_trip() {
        return Ok(false);
    }
    let quoted = context.policy.renewal.quoted();
    let Some(quoted) = quoted else {
        return Ok(true);
    };
    let tried = attempts(tx, quoted.quote)?;
    let is_tried = tried.iter().any(|attempt| attempt.stored_card.is_some());
    Ok(quoted.card != CardCharge::Refused && !is_tried)
}
