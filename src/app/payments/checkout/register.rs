//! Registers a stored attempt at its gateway, and stores the gateway's page.

use crate::app::letters::delivery::recipient::address_of;
use crate::app::payments::checkout::return_urls;
use crate::app::payments::checkout::target::payment_description;
use crate::app::payments::status;
use crate::app::quotes::revision_of;
use crate::app::{App, AppError};
use crate::domain::payment::{
    self, Failure, FailureClass, Payer, Payment, PaymentEvent, PaymentPage,
};
use crate::domain::quote::policyholder;
use crate::domain::transition::Transition;
use crate::integrations::payments::{
    CreateSession, Gateway, GatewayError, GatewayStatus, PaymentReport,
};
use crate::store::tables;

/// Creates the gateway's session for a stored attempt, and stores the session's payment page. If
/// several calls in this process run at the same time, only the first call uses the gateway. The
/// other calls wait for the first call. They fail if the first call stores no page.
///
/// If the gateway refuses a new attempt, the attempt fails. The failure is certain: the gateway
/// received no earlier request for the attempt, so nobody has a page.
pub(super) async fn register(
    app: &App,
    gateway: &dyn Gateway,
    attempt: &Payment,
    is_new: bool,
) -> Result<PaymentPage, AppError> {
    let turn = app.page_turns.lock_for(attempt.id);
    let first = turn.try_lock();
    let is_first = first.is_ok();
    let _turn = match first {
        Ok(turn) => turn,
        Err(_) => turn.lock().await,
    };
    let id = attempt.id;
    let stored = app.store.read(|tx| tables::PAYMENTS.get(tx, &id)).await?;
    match stored.and_then(|stored| stored.page) {
        Some(page) => return Ok(page),
        None if !is_first => return Err(AppError::Unavailable),
        None => {}
    }
    let (payer, description) = app
        .store
        .read(|tx| {
            let quote = tables::QUOTES.get(tx, &attempt.quote)?;
            let quote = quote.ok_or(AppError::NotFound)?;
            let revision = revision_of(tx, &quote, attempt.revision)?;
            let email = address_of(tx, &quote, &revision)?;
            let payer = Payer::new(policyholder::profile(&quote.current.answers), email);
            let description = payment_description(&app.products, tx, attempt)?;
            Ok::<_, AppError>((payer, description))
        })
        .await?;
    let begin = CreateSession {
        attempt,
        description: &description,
        payer: &payer,
        return_url: &return_urls::return_url(&app.public_url, attempt),
        back_url: &return_urls::back_url(&app.public_url, attempt),
        callback_url: &return_urls::callback_url(&app.public_url, attempt),
    };
    let session = gateway.create_session(begin).await;
    if is_new && matches!(session, Err(GatewayError::Refused(_))) {
        status::record_outcome(app, id, not_begun_error()).await?;
    }
    let session = session.map_err(|error| {
        tracing::error!(payment = %attempt.id, %error, "the gateway could not start a payment");
        match error {
            GatewayError::Refused(_) | GatewayError::OtherMode | GatewayError::Unable(_) => {
                let phone = &app.config.site.phone;
                let why =
                    format!("You can't pay this way at the moment. Please call us on {phone}.");
                AppError::conflict("gateway_refused", why)
            }
            GatewayError::Unclear(_) | GatewayError::NotSent(_) | GatewayError::Forged(_) => {
                AppError::Unavailable
            }
        }
    })?;
    let now = app.clock.now();
    app.store
        .write(move |tx| {
            let mut payment = tables::PAYMENTS.get(tx, &id)?.ok_or(AppError::NotFound)?;
            // If the attempt was closed during the gateway's call, nobody may pay on the page.
            if !payment.status.is_open() {
                return Err(AppError::Unavailable);
            }
            if let Transition::Applied(status) =
                payment::apply(payment.status, PaymentEvent::Registered)
            {
                payment.status = status;
            }
            let page = session.page.clone();
            payment.page = Some(page.clone());
            payment.references.extend(session.references.clone());
            payment.keys.0.extend(session.keys.0.clone());
            payment.updated = now;
            tables::PAYMENTS.put(tx, &payment.id, &payment)?;
            Ok::<_, AppError>(page)
        })
        .await
}

/// Returns the failure of an attempt whose page the gateway refused to create.
fn not_begun_error() -> PaymentReport {
    let failure = Failure {
        // The failure counts against no customer: no card was declined, and nobody abandoned the page.
        class: FailureClass::Unknown,
        is_final: true,
    };
    let message = "The payment page could not be made.".to_string();
    GatewayStatus::Failed { failure, message }.into()
}
