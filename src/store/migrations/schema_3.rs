//! To schema 3: a policy knows what is agreed for a later day, a change when it was agreed, and a
//! revision the page of the website it was saved from; a payment what its gateway calls it and how it
//! failed, and a refund how the gateway calls it. Letters wait in three queues. Each gateway has an account
//! of its own in the ledger.

mod money;
mod values;

use rmpv::Value;

use money::{LEDGER, PAYMENTS, REFUNDS};
use values::{add, add_value, field};

use super::step::{NewRows, OldRow, Step, Walk};

const QUOTES: u8 = 10;
const REVISIONS: u8 = 11;
const QUOTE_BY_SAVED: u8 = 19;
const PARTNER_REQUESTS: u8 = 16;
const CLICKS: u8 = 17;
const PARTNER_REQUEST_BY_QUOTE: u8 = 8;
const CLICK_BY_QUOTE: u8 = 9;
const QUOTE_MAILS: u8 = 15;
const UNCLAIMED_BY_NAME: u8 = 14;
const POLICY_BY_MAILBOX: u8 = 29;
const POLICIES: u8 = 20;
const POLICY_BY_REFERENCE: u8 = 80;
const ADJUSTMENTS: u8 = 22;
const LETTERS: u8 = 61;
const POLICY_LETTERS: u8 = 62;
const QUOTE_LETTERS: u8 = 63;

pub(super) const STEP: Step = Step {
    schema: 3,
    name: "changes and cancellations for a later day, the page of a save, queues of letters",
    walks: &[
        Walk {
            table: QUOTES,
            version: 2,
            row: quote,
        },
        Walk {
            table: REVISIONS,
            version: 2,
            row: revision,
        },
        Walk {
            table: POLICIES,
            version: 2,
            row: policy,
        },
        Walk {
            table: ADJUSTMENTS,
            version: 2,
            row: adjustment,
        },
        Walk {
            table: PAYMENTS,
            version: 2,
            row: money::payment,
        },
        Walk {
            table: LEDGER,
            version: 2,
            row: money::entry,
        },
        Walk {
            table: REFUNDS,
            version: 2,
            row: money::refund,
        },
        Walk {
            table: PARTNER_REQUESTS,
            version: 1,
            row: partner_request,
        },
        Walk {
            table: CLICKS,
            version: 1,
            row: click,
        },
        Walk {
            table: QUOTE_MAILS,
            version: 2,
            row: quote_mails,
        },
        Walk {
            table: LETTERS,
            version: 1,
            row: letter,
        },
    ],
};

/// Nobody wrote down which page a quote was saved from.
fn quote(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut quote = old.value.clone();
    let current = field(&mut quote, "current").ok_or("a quote without a revision")?;
    add(current, "path")?;
    if let Some(mut key) = sold_to_nobody(&mut quote) {
        key.extend_from_slice(&old.key);
        new.delete(UNCLAIMED_BY_NAME, &key);
        new.put(POLICY_BY_MAILBOX, &key, 1, &Value::Nil)?;
    }
    if let Some(mut key) = reference_of_live(&mut quote) {
        key.extend_from_slice(&old.key);
        new.put(POLICY_BY_REFERENCE, &key, 1, &Value::Nil)?;
    }
    if let Some(day) = deleted_in_time(&mut quote)? {
        let mut key = day.to_be_bytes().to_vec();
        key.extend_from_slice(&old.key);
        new.put(QUOTE_BY_SAVED, &key, 1, &Value::Nil)?;
    }
    new.put(QUOTES, &old.key, 2, &quote)
}

/// The mailbox that a policy was sold to which is in no account, as keys have it.
fn sold_to_nobody(quote: &mut Value) -> Option<Vec<u8>> {
    let status = field(quote, "status")?.as_str()?.to_string();
    let policies = ["Live", "Cancelled", "NotTakenUp", "Expired", "Renewed"];
    if !policies.contains(&status.as_str()) || !field(quote, "owner")?.is_nil() {
        return None;
    }
    let mut key = field(quote, "mailbox")?.as_str()?.as_bytes().to_vec();
    key.push(0);
    Some(key)
}

/// The reference of a live policy, as keys have it.
fn reference_of_live(quote: &mut Value) -> Option<Vec<u8>> {
    if field(quote, "status")?.as_str()? != "Live" {
        return None;
    }
    let mut key = field(quote, "reference")?.as_str()?.as_bytes().to_vec();
    key.push(0);
    Some(key)
}

/// The day a quote was last saved, as keys have it, if it is deleted some time after it: it was never
/// bought, is no renewal, and is in no account or only a draft.
fn deleted_in_time(quote: &mut Value) -> Result<Option<u32>, String> {
    let is_empty = |value: Option<&mut Value>| value.is_none_or(|value| value.is_nil());
    let owned = !is_empty(field(quote, "owner"));
    let renews = !is_empty(field(quote, "renews"));
    let status = field(quote, "status").and_then(|status| status.as_str());
    let status = status.ok_or("a quote without a status")?.to_string();
    let updated = field(quote, "updated").and_then(|at| at.as_i64());
    let updated = updated.ok_or("a quote without a moment")?;
    let bought = ["Live", "Cancelled", "Expired", "Renewed"].contains(&status.as_str());
    if bought || renews || owned && status != "Draft" {
        return Ok(None);
    }
    // Days since 1 January of the year 1, with the sign turned.
    let day = updated.div_euclid(86_400_000_000) + 719_163;
    let day = i32::try_from(day).map_err(|_| "a quote of no day")?;
    Ok(Some(day.cast_unsigned() ^ (1 << 31)))
}

/// A request is found by its quote as well. Its key is two texts, each of which ends with a zero.
fn partner_request(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut request = old.value.clone();
    let quote = quote_of(&mut request)?;
    let key = str::from_utf8(&old.key).map_err(|_| "a request whose key is no text")?;
    let parts = key.split('\0').take(2).map(Value::from).collect();
    new.put(PARTNER_REQUEST_BY_QUOTE, &quote, 1, &Value::Array(parts))
}

/// An address is found by its quote as well.
fn click(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut key = quote_of(&mut old.value.clone())?;
    key.extend_from_slice(&old.key);
    new.put(CLICK_BY_QUOTE, &key, 1, &Value::Nil)
}

fn quote_of(row: &mut Value) -> Result<Vec<u8>, String> {
    let quote = field(row, "quote").and_then(|quote| quote.as_slice());
    Ok(quote.ok_or("a row without a quote")?.to_vec())
}

fn revision(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut revision = old.value.clone();
    add(&mut revision, "path")?;
    new.put(REVISIONS, &old.key, 2, &revision)
}

/// Nothing is agreed for a later day of any policy.
fn policy(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut policy = old.value.clone();
    if let Some(cancellation) = field(&mut policy, "cancellation").filter(|value| !value.is_nil()) {
        add(cancellation, "dropped")?;
    }
    let renewal = field(&mut policy, "renewal").ok_or("a policy without a renewal")?;
    if let Some(quoted) = field(renewal, "Quoted") {
        add(quoted, "coming")?;
    }
    add(&mut policy, "coming_change")?;
    add(&mut policy, "coming_end")?;
    new.put(POLICIES, &old.key, 2, &policy)
}

/// Until now a change was made in the moment in which it was agreed, and none was withdrawn.
fn adjustment(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut adjustment = old.value.clone();
    let applied = field(&mut adjustment, "applied").ok_or("a change without a moment")?;
    let agreed = applied.clone();
    add_value(&mut adjustment, "agreed", agreed)?;
    add(&mut adjustment, "given_up")?;
    new.put(ADJUSTMENTS, &old.key, 2, &adjustment)
}

/// Letters about accounts stay where all letters were.
fn letter(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let mut letter = old.value.clone();
    let task = field(&mut letter, "task").ok_or("a letter without a task")?;
    let queue = if field(task, "MailPolicy").is_some() {
        POLICY_LETTERS
    } else if let Some(about) = field(task, "MailQuote") {
        let mailbox = quote_letter(old, about, new)?;
        *about = Value::Map(vec![("mailbox".into(), mailbox.into())]);
        QUOTE_LETTERS
    } else {
        return Ok(());
    };
    new.put(queue, &old.key, 1, &letter)?;
    new.delete(LETTERS, &old.key);
    Ok(())
}

/// The quote that a letter is about stands in the row of its mailbox. Where several letters wait for
/// one, the last takes the place of the others.
fn quote_letter(old: &OldRow, about: &mut Value, new: &mut NewRows) -> Result<String, String> {
    let quote = field(about, "quote").ok_or("a letter without a quote")?;
    let quote = quote.clone();
    let name = field(about, "name").and_then(|name| name.as_str());
    let mailbox = mailbox(name.ok_or("a letter without an address")?);
    // A key begins with the moment it is due, in milliseconds with the sign turned.
    let due = old.key.first_chunk().ok_or("a letter without a moment")?;
    let due = (u64::from_be_bytes(*due) ^ (1 << 63)).cast_signed();
    let waiting = vec![
        ("quote".into(), quote),
        ("since".into(), due.saturating_mul(1000).into()),
    ];
    let row = Value::Map(vec![
        ("waiting".into(), Value::Map(waiting)),
        ("sent".into(), Value::Array(Vec::new())),
    ]);
    let mut key = mailbox.clone().into_bytes();
    key.push(0);
    new.put(QUOTE_MAILS, &key, 2, &row)?;
    Ok(mailbox)
}

/// An address without the note that its owner may have put behind a plus.
fn mailbox(name: &str) -> String {
    match name.rsplit_once('@') {
        Some((local, host)) => match local.split_once('+') {
            Some((local, _)) if !local.is_empty() => format!("{local}@{host}"),
            _ => name.to_string(),
        },
        None => name.to_string(),
    }
}

/// A row is kept by mailbox; what was sent to an address with a note counts for a day only, and is
/// forgotten.
fn quote_mails(old: &OldRow, new: &mut NewRows) -> Result<(), String> {
    let name = str::from_utf8(&old.key).map_err(|_| "an address that is no text")?;
    if mailbox(name) != name {
        new.delete(QUOTE_MAILS, &old.key);
        return Ok(());
    }
    let mut mails = old.value.clone();
    let sent = field(&mut mails, "sent").ok_or("letters without their moments")?;
    let row = Value::Map(vec![
        ("waiting".into(), Value::Nil),
        ("sent".into(), sent.clone()),
    ]);
    new.put(QUOTE_MAILS, &old.key, 2, &row)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn map(fields: &[(&str, Value)]) -> Value {
        let fields = fields.iter().cloned();
        Value::Map(fields.map(|(name, value)| (name.into(), value)).collect())
    }

    /// What a step makes of a row of version 1.
    pub(super) fn upgraded(
        row: fn(&OldRow, &mut NewRows) -> Result<(), String>,
        value: Value,
    ) -> Value {
        let (mut new, old) = (
            NewRows::default(),
            OldRow {
                key: vec![7],
                version: 1,
                value,
            },
        );
        row(&old, &mut new).unwrap();
        let changes = new.into_changes();
        let [(_, Some(row))] = &changes[..] else {
            panic!("one row is put");
        };
        assert_eq!(row[0], 2);
        rmpv::decode::read_value(&mut &row[1..]).unwrap()
    }

    #[test]
    fn a_live_policy_is_found_by_its_reference_and_nothing_else_is() {
        let quote = |status: &str| {
            map(&[
                ("status", status.into()),
                ("reference", "BRK000000018".into()),
            ])
        };
        let key = reference_of_live(&mut quote("Live"));
        assert_eq!(key.as_deref(), Some(&b"BRK000000018\0"[..]));
        for other in ["Quote", "Cancelled", "Expired"] {
            assert_eq!(reference_of_live(&mut quote(other)), None, "{other}");
        }
    }

    #[test]
    fn a_policy_has_nothing_to_come_whatever_its_renewal_is() {
        let ended = map(&[("id", 1.into())]);
        let quoted = map(&[("Quoted", map(&[("follows", 2.into())]))]);
        let before = map(&[("cancellation", ended), ("renewal", quoted)]);
        let after = map(&[
            (
                "cancellation",
                map(&[("id", 1.into()), ("dropped", Value::Nil)]),
            ),
            (
                "renewal",
                map(&[(
                    "Quoted",
                    map(&[("follows", 2.into()), ("coming", Value::Nil)]),
                )]),
            ),
            ("coming_change", Value::Nil),
            ("coming_end", Value::Nil),
        ]);
        assert_eq!(upgraded(policy, before), after);
        let before = map(&[
            ("cancellation", Value::Nil),
            ("renewal", "NotRenewed".into()),
        ]);
        let after = map(&[
            ("cancellation", Value::Nil),
            ("renewal", "NotRenewed".into()),
            ("coming_change", Value::Nil),
            ("coming_end", Value::Nil),
        ]);
        assert_eq!(upgraded(policy, before), after);
    }

    #[test]
    fn a_change_that_was_made_was_agreed_then_and_an_offer_is_not() {
        for applied in [Value::from(5), Value::Nil] {
            let before = map(&[("applied", applied.clone())]);
            let after = map(&[
                ("applied", applied.clone()),
                ("agreed", applied),
                ("given_up", Value::Nil),
            ]);
            assert_eq!(upgraded(adjustment, before), after);
        }
    }
}
