//! Payments, movements of money and refunds, to schema 3.

use rmpv::Value;

use super::super::step::{NewRows, OldRow};
use super::values::{add, add_value, field};

pub(super) const PAYMENTS: u8 = 30;
pub(super) const LEDGER: u8 = 33;
pub(super) const REFUNDS: u8 = 34;

/// Until now the sandbox was the only gateway, which says for certain that an attempt has failed.
pub(super) fn payment(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut payment = old.value.clone();
    let status = field(&mut payment, "status").and_then(|status| status.as_str());
    let failed = status.ok_or("a payment without a status")? == "Failed";
    let failure = Value::Map(vec![
        ("class".into(), "Unknown".into()),
        ("is_final".into(), true.into()),
    ]);
    add_value(&mut payment, "currency", "GBP".into())?;
    add_value(&mut payment, "mode", "Test".into())?;
    add_value(&mut payment, "references", Value::Map(Vec::new()))?;
    add_value(&mut payment, "keys", Value::Map(Vec::new()))?;
    add_value(
        &mut payment,
        "failure",
        if failed { failure } else { Value::Nil },
    )?;
    new.put(PAYMENTS, &old.key, 2, &payment)
}

/// Until now the sandbox was the only gateway, and every movement was on its account.
pub(super) fn entry(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut entry = old.value.clone();
    let Some(Value::Array(postings)) = field(&mut entry, "postings") else {
        return Err("a movement without postings".to_string());
    };
    for posting in postings {
        let account = field(posting, "account").ok_or("a posting without an account")?;
        if account.as_str() == Some("Gateway") {
            let whose = vec![("provider".into(), "sandbox".into())];
            *account = Value::Map(vec![("Gateway".into(), Value::Map(whose))]);
        }
    }
    new.put(LEDGER, &old.key, 2, &entry)
}

/// Until now nobody wrote down what the gateway calls a refund, and the shop alone made any.
pub(super) fn refund(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut refund = old.value.clone();
    add(&mut refund, "reference")?;
    add_value(&mut refund, "by_hand", false.into())?;
    add(&mut refund, "otherwise")?;
    new.put(REFUNDS, &old.key, 2, &refund)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{map, upgraded};
    use super::*;

    #[test]
    fn a_payment_was_the_sandboxs_and_one_that_failed_has_failed_for_good() {
        let last_word = map(&[("class", "Unknown".into()), ("is_final", true.into())]);
        for (status, failure) in [("Paid", Value::Nil), ("Failed", last_word)] {
            let before = map(&[("status", status.into())]);
            let after = map(&[
                ("status", status.into()),
                ("currency", "GBP".into()),
                ("mode", "Test".into()),
                ("references", map(&[])),
                ("keys", map(&[])),
                ("failure", failure),
            ]);
            assert_eq!(upgraded(payment, before), after);
        }
    }

    #[test]
    fn what_was_on_the_gateways_account_is_on_the_sandboxs() {
        let posting = |account: Value| map(&[("account", account), ("amount", 5.into())]);
        let postings = |first: Value| {
            let both = vec![posting(first), posting("Customer".into())];
            map(&[("about", 1.into()), ("postings", Value::Array(both))])
        };
        let sandbox = map(&[("Gateway", map(&[("provider", "sandbox".into())]))]);
        assert_eq!(
            upgraded(entry, postings("Gateway".into())),
            postings(sandbox)
        );
    }

    #[test]
    fn a_refund_was_the_shops_own_and_the_gateways_name_of_it_is_not_known() {
        let before = map(&[("status", "Paid".into())]);
        let after = map(&[
            ("status", "Paid".into()),
            ("reference", Value::Nil),
            ("by_hand", false.into()),
            ("otherwise", Value::Nil),
        ]);
        assert_eq!(upgraded(refund, before), after);
    }
}
