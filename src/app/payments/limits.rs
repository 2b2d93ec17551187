//! How many payment pages may be made: whoever tries stolen cards wants many.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::page_limits::wait;
use crate::app::attempt_limits::{LimitKind, key, too_many};
use crate::app::shared_limits::{count, hash, look};
use crate::app::{App, AppError, Client, rows};
use crate::domain::payment::FailureClass;
use crate::store::WriteTx;
use crate::store::tables::{self, LimitCount};

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
    pub(super) async fn count_page(
        &self,
        attempt: Uuid,
        mailbox: Option<&str>,
        from: &Client,
    ) -> Result<(), AppError> {
        if self.store.node().is_some() {
            return Box::pin(self.count_shared_page(attempt, mailbox, from)).await;
        }
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
    ///
    /// # Errors
    /// When several shops serve the store, and it fails.
    pub(super) async fn count_failed(
        &self,
        attempt: Uuid,
        class: FailureClass,
    ) -> Result<(), AppError> {
        let (now, free) = (
            self.clock.now(),
            self.config.limits.failed_payments_per_client,
        );
        if self.store.node().is_some() {
            let write = self
                .store
                .write(move |tx| count_shared_failure(tx, attempt, class, free, now));
            return write.await;
        }
        let client = self.page_limits.clients.remove(&attempt);
        if let Some(client) = client.filter(|_| class != FailureClass::Unknown) {
            // One that comes while its client has to wait anyway doesn't make the wait longer.
            let _ = self
                .limits
                .take_beyond(LimitKind::FailedPayments, free, &client, now);
        }
        Ok(())
    }

    /// As [`App::count_page`], where several shops serve the store: all of it in one write.
    async fn count_shared_page(
        &self,
        attempt: Uuid,
        mailbox: Option<&str>,
        from: &Client,
    ) -> Result<(), AppError> {
        let (network, now) = (from.counted(), self.clock.now());
        let (free, most) = (
            self.config.limits.payment_pages_per_client,
            self.pages_an_hour(),
        );
        let mailbox = mailbox.map(|name| hash(&format!("pages of {name}")));
        self.store
            .write(move |tx| {
                let page = page_of(attempt);
                if tables::LIMIT_COUNTS.has(tx, &page)? {
                    return Ok(());
                }
                look(tx, hash(&key(LimitKind::FailedPayments, &network)), now)?;
                let pages = hash(&key(LimitKind::PaymentPages, &network));
                count(tx, pages, free, now)?;
                if let Some(mailbox) = mailbox {
                    count_shared_mailbox(tx, mailbox, most, now)?;
                }
                let network = network.clone();
                let client = LimitCount::Client { network, at: now };
                rows::limit_counts::put(tx, page, &client)?;
                Ok(())
            })
            .await
    }
}

/// The key of who had the page of an attempt made.
fn page_of(attempt: Uuid) -> [u8; 32] {
    hash(&format!("page of {attempt}"))
}

fn count_shared_mailbox(
    tx: &mut WriteTx<'_>,
    mailbox: [u8; 32],
    most: usize,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    // Any number may be made, and none needs to be counted.
    if most == 0 {
        return Ok(());
    }
    let mut made = match tables::LIMIT_COUNTS.get(tx, &mailbox)? {
        Some(LimitCount::Pages(made)) => made
            .into_iter()
            .filter_map(DateTime::from_timestamp_millis)
            .collect(),
        _ => Vec::new(),
    };
    if let Some(left) = wait(&mut made, most, now) {
        return Err(too_many(left));
    }
    made.push(now);
    let made = made.iter().map(DateTime::timestamp_millis).collect();
    rows::limit_counts::put(tx, mailbox, &LimitCount::Pages(made))?;
    Ok(())
}

fn count_shared_failure(
    tx: &mut WriteTx<'_>,
    attempt: Uuid,
    class: FailureClass,
    free: u32,
    now: DateTime<Utc>,
) -> Result<(), AppError> {
    let page = page_of(attempt);
    let Some(LimitCount::Client { network, .. }) = tables::LIMIT_COUNTS.get(tx, &page)? else {
        return Ok(());
    };
    rows::limit_counts::delete(tx, page);
    let failures = hash(&key(LimitKind::FailedPayments, &network));
    // One that comes while its client has to wait anyway doesn't make the wait longer.
    if class == FailureClass::Unknown || look(tx, failures, now).is_err() {
        return Ok(());
    }
    count(tx, failures, free, now)
}
