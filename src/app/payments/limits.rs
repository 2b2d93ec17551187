//! How many payment pages may be made: whoever tries stolen cards wants many.

use uuid::Uuid;

use crate::app::attempt_limits::LimitKind;
use crate::app::{App, AppError, Client};
use crate::domain::payment::FailureClass;

impl App {
    /// Pages that one quote, and one mailbox, may have in an hour; 0 is any number.
    pub(super) fn pages_an_hour(&self) -> usize {
        usize::try_from(self.config.limits.payment_pages).unwrap_or(usize::MAX)
    }

    /// Counts the page of an attempt before it is made. The same attempt again isn't counted again.
    ///
    /// # Errors
    /// [`AppError::TooMany`] where its mailbox had too many this hour, or its caller too many, or too
    /// many that were declined or abandoned.
    pub(super) fn count_page(
        &self,
        attempt: Uuid,
        mailbox: Option<&str>,
        from: &Client,
    ) -> Result<(), AppError> {
        let clients = &self.page_limits.clients;
        let client = from.counted();
        let entry = clients.entry(attempt).or_insert(client.clone());
        if !entry.is_fresh() {
            return Ok(());
        }
        let now = self.clock.now();
        let counted = self
            .limits
            .look(LimitKind::FailedPayments, &client, now)
            .and_then(|()| {
                let free = self.config.limits.payment_pages_per_client;
                self.limits
                    .take_beyond(LimitKind::PaymentPages, free, &client, now)
            })
            .and_then(|()| match mailbox {
                Some(name) => self.page_limits.take(name, self.pages_an_hour(), now),
                None => Ok(()),
            });
        if counted.is_err() {
            clients.invalidate(&attempt);
        }
        counted
    }

    /// Counts an attempt that failed, by whoever had its page made.
    pub(super) fn count_failed(&self, attempt: Uuid, class: FailureClass) {
        let client = self.page_limits.clients.remove(&attempt);
        if let Some(client) = client.filter(|_| class != FailureClass::Unknown) {
            // One that comes while its client has to wait anyway doesn't make the wait longer.
            let now = self.clock.now();
            let free = self.config.limits.failed_payments_per_client;
            let _ = self
                .limits
                .take_beyond(LimitKind::FailedPayments, free, &client, now);
        }
    }
}
