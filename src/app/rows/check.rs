//! Whether rows and their indexes agree: each row is found by its index rows, and each index row leads
//! to a row that it belongs to.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::compare::{Compare, Hear, Stop, is_same};
use super::contract_indexes::ContractIndexes;
use super::{contents, payments, policies, users};
use crate::domain::quote::Quote;
use crate::store::{AnyTable, Key, ReadTx, StoreError, Table, tables};

/// Compares every row with its indexes, both ways. A row that can't be read ends it.
pub(in crate::app) fn check(tx: &ReadTx, hear: Hear<'_>) -> Result<(), StoreError> {
    let mut check = Compare::new(tx, hear);
    let done = check.contracts().and_then(|()| check.others());
    Stop::unless_unheard(done.and_then(|()| check.owners()))
}

type OfUuid = (Uuid, Uuid);
type OfTime = (DateTime<Utc>, [u8; 32]);
type OfUser = (Uuid, [u8; 32]);

impl Compare<'_> {
    /// Quotes and policies, whose indexes follow from both together.
    fn contracts(&mut self) -> Result<(), Stop> {
        let tx = self.tx;
        self.each(&tables::QUOTES, |check, _, quote: Quote| {
            let of = ContractIndexes::of(&quote, policies::of_quote(tx, &quote)?.as_ref());
            if let Some((key, entry)) = &of.owner
                && tables::QUOTE_BY_OWNER.get(tx, key)?.as_ref() != Some(entry)
            {
                check.not_found("quotes", "quote_by_owner", key)?;
            }
            check.found(
                "quotes",
                &tables::UNCLAIMED_BY_NAME,
                of.unclaimed.as_slice(),
            )?;
            check.found("policies", &tables::POLICY_BY_MAILBOX, of.sold.as_slice())?;
            check.found("quotes", &tables::QUOTE_BY_EXPIRY, of.price_ends.as_slice())?;
            check.found("quotes", &tables::QUOTE_BY_SAVED, of.saved.as_slice())?;
            check.found(
                "policies",
                &tables::POLICY_BY_EXPIRY,
                of.last_day.as_slice(),
            )?;
            check.found(
                "policies",
                &tables::POLICY_BY_RENEWAL,
                of.renewal_due.as_slice(),
            )?;
            check.found("policies", &tables::POLICY_BY_COMING, of.coming.as_slice())?;
            check.found(
                "policies",
                &tables::POLICY_BY_REGISTRATION,
                &of.registrations,
            )?;
            let reference = of.reference.as_slice();
            check.found("policies", &tables::POLICY_BY_REFERENCE, reference)
        })?;
        self.each(&tables::QUOTE_BY_OWNER, |check, key: OfUuid, _| {
            let of = check.contract(&key.1)?;
            let is_its = of.owner.is_some_and(|(own, _)| own == key);
            check.leads_to(is_its, "quote_by_owner", "quotes", &key)
        })?;
        self.strays(&tables::UNCLAIMED_BY_NAME, |of| of.unclaimed.as_slice())?;
        self.strays(&tables::POLICY_BY_MAILBOX, |of| of.sold.as_slice())?;
        self.strays(&tables::QUOTE_BY_EXPIRY, |of| of.price_ends.as_slice())?;
        self.strays(&tables::QUOTE_BY_SAVED, |of| of.saved.as_slice())?;
        self.strays(&tables::POLICY_BY_EXPIRY, |of| of.last_day.as_slice())?;
        self.strays(&tables::POLICY_BY_RENEWAL, |of| of.renewal_due.as_slice())?;
        self.strays(&tables::POLICY_BY_COMING, |of| of.coming.as_slice())?;
        self.strays(&tables::POLICY_BY_REGISTRATION, |of| &of.registrations)?;
        self.strays(&tables::POLICY_BY_REFERENCE, |of| of.reference.as_slice())
    }

    fn others(&mut self) -> Result<(), Stop> {
        let (rows, index) = (&tables::ADJUSTMENTS, &tables::ADJUSTMENT_BY_POLICY);
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (
            &tables::LATER_CANCELLATIONS,
            &tables::LATER_CANCELLATION_BY_POLICY,
        );
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (&tables::PAYMENTS, &tables::PAYMENT_BY_QUOTE);
        self.both(
            rows,
            index,
            |id, row| (row.quote, *id),
            |key: &OfUuid| key.1,
        )?;
        self.references()?;
        let (rows, index) = (&tables::REFUNDS, &tables::REFUND_BY_POLICY);
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (&tables::DISPUTES, &tables::DISPUTE_BY_POLICY);
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        let (rows, index) = (
            &tables::SETTLEMENT_LINES,
            &tables::SETTLEMENT_LINE_BY_POLICY,
        );
        self.each(rows, |check, key, row| {
            let own = row.policy.map(|policy| (policy, key));
            check.found(rows.name(), index, own.as_slice())
        })?;
        self.each(index, |check, key: OfUser, ()| {
            let row = rows.get(check.tx, &key.1)?;
            let is_its = row.is_some_and(|row| row.policy == Some(key.0));
            check.leads_to(is_its, index.name(), rows.name(), &key)
        })?;
        let (rows, index) = (&tables::DOCUMENTS, &tables::DOCUMENT_BY_POLICY);
        self.both(
            rows,
            index,
            |id, row| (row.policy, *id),
            |key: &OfUuid| key.1,
        )?;
        self.contents()?;
        let (rows, index) = (&tables::SESSIONS, &tables::SESSION_BY_USER);
        self.both(rows, index, |id, row| (row.user, *id), |key: &OfUser| key.1)?;
        let (rows, index) = (&tables::SESSIONS, &tables::SESSION_BY_END);
        self.both(
            rows,
            index,
            |id, row| (row.expires, *id),
            |key: &OfTime| key.1,
        )?;
        let (rows, index) = (&tables::LINKS, &tables::LINK_BY_USER);
        self.both(rows, index, |id, row| (row.user, *id), |key: &OfUser| key.1)?;
        let (rows, index) = (&tables::LINKS, &tables::LINK_BY_END);
        self.both(
            rows,
            index,
            |id, row| (row.expires, *id),
            |key: &OfTime| key.1,
        )?;
        let (rows, index) = (&tables::CLICKS, &tables::CLICK_BY_QUOTE);
        self.both(
            rows,
            index,
            |id, row| (row.quote, *id),
            |key: &OfUser| key.1,
        )?;
        let (rows, index) = (&tables::PARTNER_REQUESTS, &tables::PARTNER_REQUEST_BY_QUOTE);
        self.named(rows, index, |row| Some(row.quote))?;
        let (rows, index) = (&tables::ANSWERED, &tables::ANSWERED_BY_TIME);
        self.both(rows, index, |id, row| (row.at, *id), |key: &OfTime| key.1)?;
        self.named(&tables::USERS, &tables::USER_BY_NAME, users::name_of)?;
        self.named(&tables::PRODUCTS, &tables::PRODUCT_VERSIONS, |file| {
            Some((file.identifier.clone(), file.version.clone()))
        })
    }

    /// Rows that are of no use without another.
    fn owners(&mut self) -> Result<(), Stop> {
        self.belongs(&tables::REVISIONS, &tables::QUOTES, |key, _| key.0)?;
        self.belongs(&tables::POLICIES, &tables::QUOTES, |key, _| *key)?;
        self.belongs(&tables::LEDGER, &tables::QUOTES, |key, _| key.0)?;
        self.belongs(&tables::PAYMENTS, &tables::QUOTES, |_, row| row.quote)?;
        self.belongs(&tables::SANDBOX, &tables::PAYMENTS, |key, _| *key)?;
        self.belongs(&tables::REFUNDS, &tables::PAYMENTS, |_, row| row.payment)?;
        self.belongs(&tables::DISPUTES, &tables::PAYMENTS, |_, row| row.payment)?;
        self.belongs(&tables::ADJUSTMENTS, &tables::POLICIES, |_, row| row.policy)?;
        let later = &tables::LATER_CANCELLATIONS;
        self.belongs(later, &tables::POLICIES, |_, row| row.policy)?;
        self.belongs(&tables::RESCUE_CARDS, &tables::POLICIES, |key, _| *key)?;
        self.belongs(&tables::CLICKS, &tables::QUOTES, |_, row| row.quote)?;
        let requests = &tables::PARTNER_REQUESTS;
        self.belongs(requests, &tables::QUOTES, |_, row| row.quote)?;
        self.belongs(&tables::DOCUMENTS, &tables::QUOTES, |_, row| row.policy)?;
        let contents = &tables::DOCUMENT_CONTENTS;
        self.belongs(contents, &tables::DOCUMENTS, |key, _| *key)?;
        let contents = &tables::PRODUCT_CONTENTS;
        self.belongs(contents, &tables::PRODUCTS, |key, _| key.0.clone())?;
        self.belongs(&tables::SESSIONS, &tables::USERS, |_, row| row.user)?;
        self.belongs(&tables::LINKS, &tables::USERS, |_, row| row.user)
    }

    /// Each document that has a content is found by it, whether a policy's or a product's.
    fn contents(&mut self) -> Result<(), Stop> {
        let index = &tables::DOCUMENT_BY_CONTENT;
        let (documents, products) = (&tables::DOCUMENT_CONTENTS, &tables::PRODUCT_CONTENTS);
        let mut of_products = Vec::new();
        self.each(documents, |check, id, row| {
            check.found(documents.name(), index, &[(row.sha256, id)])
        })?;
        self.each(products, |check, key, row| {
            let own = (row.sha256, contents::id_of_product(&key));
            check.found(products.name(), index, std::slice::from_ref(&own))?;
            of_products.push(own);
            Ok(())
        })?;
        self.each(index, |check, key: (String, Uuid), ()| {
            let row = documents.get(check.tx, &key.1)?;
            let is_its = row.is_some_and(|row| row.sha256 == key.0) || of_products.contains(&key);
            check.leads_to(is_its, index.name(), documents.name(), &key)
        })
    }

    /// An attempt to pay is found by each of its gateway's references.
    fn references(&mut self) -> Result<(), Stop> {
        let index = &tables::PAYMENT_BY_REFERENCE;
        self.each(&tables::PAYMENTS, |check, id, payment| {
            for key in payments::references(&payment) {
                if index.get(check.tx, &key)? != Some(id) {
                    check.not_found("payments", index.name(), &key)?;
                }
            }
            Ok(())
        })?;
        self.each(index, |check, key, id| {
            let payment = tables::PAYMENTS.get(check.tx, &id)?;
            let is_its = payment.is_some_and(|own| payments::references(&own).contains(&key));
            check.leads_to(is_its, index.name(), "payments", &key)
        })
    }

    /// The index rows that a quote and its policy must have; none where there is no such quote.
    fn contract(&self, uuid: &Uuid) -> Result<ContractIndexes, StoreError> {
        let Some(quote) = tables::QUOTES.get(self.tx, uuid)? else {
            return Ok(ContractIndexes::default());
        };
        let policy = policies::of_quote(self.tx, &quote)?;
        Ok(ContractIndexes::of(&quote, policy.as_ref()))
    }

    /// Each row of an index of quotes and policies is one that they must have.
    fn strays<A: Key>(
        &mut self,
        index: &Table<(A, Uuid), ()>,
        keys: impl Fn(&ContractIndexes) -> &[(A, Uuid)],
    ) -> Result<(), Stop> {
        self.each(index, |check, key, ()| {
            let of = check.contract(&key.1)?;
            let is_its = keys(&of).iter().any(|own| is_same(own, &key));
            check.leads_to(is_its, index.name(), "quotes", &key)
        })
    }
}
