//! Letters about events of a policy, to its owner or buyer.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::app::accounts::links;
use crate::app::jobs::set_aside::set_aside;
use crate::app::letters::account::password_page;
use crate::app::letters::attachments::{self, LetterDocuments};
use crate::app::letters::delivery::recipient::{address_of, user_of_address};
use crate::app::letters::money::mail_money;
use crate::app::letters::policy_events::policy_event;
use crate::app::letters::renewal_events::{open_renewal, renewal_event};
use crate::app::letters::{
    FirstPassword, Letter, LetterEvent, PolicyFields, SharedFields, delivery,
};
use crate::app::policies::cancellations::end_cover::record_end_notice;
use crate::app::policies::{self, PolicyContext, plans, renewals};
use crate::app::{App, AppError, documents, new_id, page_addresses};
use crate::domain::account::{LinkUse, username};
use crate::domain::policy::renewal::{self, RenewalEvent, RenewalLetter};
use crate::domain::quote::Quote;
use crate::domain::time::dates::london_date;
use crate::domain::transition::Transition;
use crate::integrations::mail::Attachment;
use crate::secret::{Token, hash_token, random_code};
use crate::store::tables::{self, Job, PolicyNotification, RefusedAddress, Task};
use crate::store::{Read, StoreError};

/// Mails an event of a policy to its owner. Without an owner, mails the event to the address in the
/// policy's answers. Mails nothing if there is no address or the current state needs no letter. Returns false
/// if the letter waits for its documents.
pub(in crate::app) async fn mail_policy(
    app: &App,
    uuid: Uuid,
    news: PolicyNotification,
) -> Result<bool, AppError> {
    match news {
        PolicyNotification::RenewalQuoted { .. } | PolicyNotification::NotRenewable { .. } => {
            mail_renewal(app, uuid).await
        }
        // These events may have no policy.
        PolicyNotification::UnappliedPayment { .. }
        | PolicyNotification::PaymentReversed { .. }
        | PolicyNotification::RefundOwed { .. }
        | PolicyNotification::RefundPaid { .. }
        | PolicyNotification::Disputed { .. }
        | PolicyNotification::DisputeDecided { .. } => mail_money(app, news).await.map(|()| true),
        _ => {
            let read = app.store.read(|tx| {
                let context = policies::policy_unchecked(app, tx, uuid)?;
                let to = address_of(tx, &context.quote, &context.revision)?;
                let event = policy_event(app, tx, &context, news)?;
                Ok::<_, AppError>(to.zip(event).map(|(to, event)| (context, to, event)))
            });
            let Some((context, to, event)) = read.await? else {
                return Ok(true);
            };
            let now = app.clock.now();
            if !send_policy_letter(app, &context, &to, event, news).await? {
                return Ok(false);
            }
            record_notice(app, uuid, news, username(&to), now).await?;
            Ok(true)
        }
    }
}

/// Records that a letter about the end of cover was sent at `now`: its days count from then. A letter that the
/// address refused is set aside, because the customer doesn't know the day. Does nothing for other letters.
async fn record_notice(
    app: &App,
    policy: Uuid,
    news: PolicyNotification,
    name: String,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let is_notice = matches!(
        news,
        PolicyNotification::PlanNotice
            | PolicyNotification::PlanReminder
            | PolicyNotification::EndNotice { .. }
    );
    if !is_notice {
        return Ok(());
    }
    app.store
        .write(move |tx| {
            let refused = refusal(tx, &name, now)?;
            if let Some(refused) = refused {
                let task = Task::MailPolicy { policy, news };
                set_aside(tx, new_id(now), &Job::new(task), &refused.reason, now)?;
                return Ok(());
            }
            match news {
                PolicyNotification::EndNotice { cancellation } => {
                    record_end_notice(tx, cancellation)
                }
                _ => plans::record_letter(tx, policy, london_date(now)),
            }
        })
        .await
}

/// Returns the refusal of the letter that was sent at `sent`.
fn refusal(
    tx: &impl Read,
    name: &str,
    sent: DateTime<Utc>,
) -> Result<Option<RefusedAddress>, StoreError> {
    let refused = tables::REFUSED_ADDRESSES.get(tx, &name.to_string())?;
    Ok(refused.filter(|refused| sent <= refused.at))
}

/// Sends a letter about the policy. If no account owns the policy and the user has no password, the
/// letter has a first-password link. After a purchase, such a letter also has a code for the page
/// of the payment. If sending fails, deletes the link and the code, because the next try creates
/// others. Returns false, and sends nothing, if the letter waits for its documents.
async fn send_policy_letter(
    app: &App,
    context: &PolicyContext,
    to: &str,
    event: LetterEvent,
    news: PolicyNotification,
) -> Result<bool, AppError> {
    let found = attachments::load_documents(app, context, news).await?;
    if matches!(found, LetterDocuments::NotReady) {
        return Ok(false);
    }
    let enclosures = attachments::document_fields(app, context, news, &found).await?;
    let (now, policy) = (app.clock.now(), context.policy.uuid);
    let (name, new_user_id) = (username(to), new_id(now));
    let (link, code) = (Token::random()?, random_code()?);
    let has_code = matches!(event, LetterEvent::Bought { .. });
    let link_hash = link.hash();
    let code_hash = hash_token(&links::code_secret(policy, code.expose()));
    let is_kept = app
        .store
        .write(move |tx| {
            let quote = tables::QUOTES.get(tx, &policy)?;
            let waits =
                |quote: &Quote| quote.owner.is_none() && quote.mailbox == Some(name.clone());
            let Some(quote) = quote.filter(waits) else {
                return Ok(false);
            };
            let user = user_of_address(tx, &name, &quote, new_user_id, now)?;
            if user.password_hash.is_some() {
                return Ok(false);
            }
            links::insert_link(tx, link_hash, user.uuid, LinkUse::FirstPassword, now)?;
            if has_code {
                links::insert_link(tx, code_hash, user.uuid, LinkUse::FirstPassword, now)?;
            }
            Ok::<_, AppError>(true)
        })
        .await?;
    let first_password = is_kept.then(|| FirstPassword {
        link: password_page(&app.public_url, &link),
        code: has_code.then(|| written_code(code.expose())),
        password_page: page_addresses::retrieve_password(&app.public_url),
    });
    let fields = PolicyFields {
        product: context.product.info().product_title.clone(),
        reference: context.quote.reference.clone(),
        policy_page: page_addresses::policy(&app.public_url, policy),
        payments_page: page_addresses::policy_payments(&app.public_url, policy),
        is_single_trip: context.is_single_trip(),
        first_password,
        enclosures,
    };
    let files = attachments::files(app, context, news, found);
    let sent = send_or_link(app, context, to, (event, fields), (news, files)).await;
    if sent.is_err() && is_kept {
        app.store
            .write(move |tx| {
                tables::LINKS.delete(tx, &link_hash)?;
                Ok::<_, AppError>(tables::LINKS.delete(tx, &code_hash)?)
            })
            .await?;
    }
    sent.map(|()| true)
}

/// Sends a letter with its files. If the mail server refuses the files, sends the letter without them. It then
/// has a link to the documents.
async fn send_or_link(
    app: &App,
    context: &PolicyContext,
    to: &str,
    (event, mut fields): (LetterEvent, PolicyFields),
    (news, files): (PolicyNotification, Vec<Attachment>),
) -> Result<(), AppError> {
    let letter = |fields| Letter {
        event: event.clone(),
        shared: SharedFields::Policy(fields),
    };
    if delivery::send_with_files(app, to, &letter(fields.clone()), files).await? {
        return Ok(());
    }
    if fields.enclosures.is_some() {
        let linked = LetterDocuments::Linked { is_late: false };
        fields.enclosures = attachments::document_fields(app, context, news, &linked).await?;
    }
    delivery::send_letter(app, to, &letter(fields)).await
}

/// Mails the price of a renewal, or the reason why there is no price. Orders the renewal notice if
/// the renewal can be bought. Stores the revision that the letter reported, so that the revision is
/// mailed once. Returns false if the letter waits for the notice.
async fn mail_renewal(app: &App, uuid: Uuid) -> Result<bool, AppError> {
    let now = app.clock.now();
    let (context, quote, to) = app
        .store
        .read(|tx| {
            let context = policies::policy_unchecked(app, tx, uuid)?;
            let quote = open_renewal(&app.clock, tx, &context)?;
            let to = address_of(tx, &context.quote, &context.revision)?;
            Ok::<_, AppError>((context, quote, to))
        })
        .await?;
    // A policy with a scheduled cancellation is not renewed. If the cancellation is withdrawn, a
    // later job sends the letter.
    let Some(quote) = quote.filter(|_| context.policy.scheduled_end.is_none()) else {
        return Ok(true);
    };
    let policy = context.policy.clone();
    let revision = quote.current.number;
    if policy
        .renewal
        .quoted()
        .and_then(|quoted| quoted.notice)
        .is_some_and(|notice| notice.revision == revision)
    {
        return Ok(true);
    }
    let has_notice = quote.is_buyable(now);
    if has_notice {
        app.store
            .write(move |tx| {
                documents::order_renewal_notice(tx, &policy, quote.uuid, revision, now)
            })
            .await?;
    }
    let Some(to) = to else {
        return Ok(true);
    };
    let event = renewal_event(&app.clock, &app.products, &app.public_url, &context, &quote);
    let quote_id = quote.uuid;
    let news = match has_notice {
        true => PolicyNotification::RenewalQuoted { quote: quote_id },
        false => PolicyNotification::NotRenewable { quote: quote_id },
    };
    if !send_policy_letter(app, &context, &to, event, news).await? {
        return Ok(false);
    }
    app.store
        .write(move |tx| {
            // A permanently refused letter has not informed the customer.
            let is_refused = refusal(tx, &username(&to), now)?.is_some();
            if let Some(mut policy) = tables::POLICIES.get(tx, &uuid)?
                && !is_refused
            {
                let on = london_date(now);
                let event = RenewalEvent::Notified(RenewalLetter { revision, on });
                if let Transition::Applied(renewal) = renewal::apply(policy.renewal, event) {
                    policy.renewal = renewal;
                    tables::POLICIES.put(tx, &policy.uuid, &policy)?;
                    renewals::queue_reminder(tx, &policy, &quote, now)?;
                }
            }
            Ok::<_, AppError>(true)
        })
        .await
}

/// Formats a code in two groups, as customers read and type it.
fn written_code(code: &str) -> String {
    let (first, second) = code.split_at_checked(code.len() / 2).unwrap_or((code, ""));
    format!("{first}-{second}")
}
