//! Lists Global Payments' payments and refunds since a moment.

use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::client::GlobalPaymentsClient;
use super::error::GpError;
use super::transaction::{GpTransaction, PAGE_SIZE};
use crate::domain::money::Pence;
use crate::integrations::payments::answers::{ListedMovement, RefundOrigin};

#[derive(Deserialize)]
struct TransactionPage {
    #[serde(default)]
    transactions: Vec<ListedTransaction>,
    total_record_count: Option<usize>,
}

#[derive(Deserialize)]
struct ListedTransaction {
    #[serde(flatten)]
    transaction: GpTransaction,
    /// Our id of the attempt. A refund may have the reference of its payment.
    #[serde(default)]
    reference: Option<String>,
    /// The refunded payment.
    #[serde(default)]
    parent_resource_id: Option<String>,
}

impl GlobalPaymentsClient {
    /// Returns the payments that were paid, and the refunds, since `since`.
    ///
    /// Assumption: the list begins with a day, and its pages count from 1.
    ///
    /// # Errors
    /// If the answer isn't clear.
    pub async fn list_since(&self, since: DateTime<Utc>) -> Result<Vec<ListedMovement>, GpError> {
        let day = since.date_naive();
        let (mut listed, mut seen) = (Vec::new(), 0);
        for page in 1.. {
            let path =
                format!("/transactions?from_time_created={day}&page={page}&page_size={PAGE_SIZE}");
            let list: TransactionPage = self.get(&path).await?;
            let count = list.transactions.len();
            seen += count;
            let transactions = list.transactions.into_iter().filter(|one| {
                let transaction = &one.transaction;
                // A refund that is under way may be made a second time by a request.
                let is_made = match transaction.is_sale() {
                    true => transaction.is_captured(),
                    false => !transaction.has_failed(),
                };
                is_made && transaction.time().is_none_or(|time| since <= time)
            });
            listed.extend(transactions.map(movement));
            let is_last = list.total_record_count.is_some_and(|total| total <= seen);
            if count < PAGE_SIZE || is_last {
                break;
            }
        }
        Ok(listed)
    }
}

fn movement(listed: ListedTransaction) -> ListedMovement {
    let ListedTransaction {
        transaction,
        reference,
        parent_resource_id,
    } = listed;
    let is_refund = !transaction.is_sale();
    let own = (!is_refund).then(|| transaction.id.clone());
    ListedMovement {
        refund: is_refund.then_some(RefundOrigin::Unknown),
        payment_names: [reference, parent_resource_id, own]
            .into_iter()
            .flatten()
            .collect(),
        amount: Pence(transaction.pence().unwrap_or(0)),
        mailbox: None,
        page: format!("transaction {} in the portal", transaction.id),
        reference: transaction.id,
    }
}
