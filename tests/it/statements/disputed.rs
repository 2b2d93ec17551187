//! Statements about money while a bank decides a dispute, and after the customer won it.

use layby::domain::payment::dispute::DisputeEvent;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Life, stated};
use crate::money::disputed_change::hears;
use crate::money::{pay_again, sell, shop};
use crate::policies::{PAYS, pence, young_vehicles};
use crate::support::Shop;

const WAITS: &str = "Your bank is deciding a dispute of your payment, and the refund waits for that. If the \
                     payment stands, the refund goes to the card that paid. If your bank gives you the \
                     money, no refund follows.";

impl Life {
    /// Returns the newest payment, and its amount in pence.
    fn payment(&self) -> (Uuid, i64) {
        let mut all = self.ann.shop.rows(&tables::PAYMENTS);
        let (id, newest) = all.pop().unwrap();
        (id, newest.amount.0)
    }

    /// Disputes the newest payment, without a decision.
    async fn disputed(&self) {
        let (id, paid) = self.payment();
        let taken = [("txn_1", paid)];
        hears(&self.ann.shop, id, paid, DisputeEvent::Opened, &taken).await;
    }

    /// Decides the dispute of the newest payment for the customer.
    async fn lost(&self) {
        let (id, paid) = self.payment();
        hears(&self.ann.shop, id, paid, DisputeEvent::Lost, &[]).await;
    }
}

/// Returns the only letter with these words in its subject.
#[track_caller]
fn about(letters: Vec<Vec<String>>, subject: &str) -> Vec<String> {
    let mut own = letters.into_iter().filter(|one| one[0].contains(subject));
    let found = own.next().unwrap();
    assert_eq!(own.next(), None);
    found
}

/// Returns the lines of a refund: label, and pence.
fn lines(refund: &Value) -> Vec<(String, i64)> {
    let lines = refund["lines"].as_array().unwrap().iter();
    let line = |line: &Value| {
        (
            line["label"].as_str().unwrap().to_owned(),
            pence(&line["amount"]),
        )
    };
    lines.map(line).collect()
}

#[tokio::test]
async fn a_refund_waits_for_the_bank_and_is_not_said_to_be_on_its_way() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.disputed().await;
    life.ann.works().await;
    life.letters();
    assert_eq!(life.page("/data/policy/is_disputed").await, true);
    let ended = life.cancels("2026-11-21").await;
    assert_eq!(ended["refund"]["status"], "disputed");
    let told = life.letter();
    assert_eq!(told[3], WAITS);
    assert_eq!(
        told.last().unwrap(),
        "Refund: GBP 80.49, once your bank has decided"
    );
    life.document("Cancellation Letter")
        .await
        .says(&[
            "You get back £80.49",
            "Your bank is deciding a dispute of your payment, and £80.49 waits for that. If the payment \
             stands, it goes back to the card it came from. If your bank gives you the money, no refund \
             follows.",
        ])
        .never_says(&["three to five working days"]);
}

#[tokio::test]
async fn a_refund_of_a_later_day_may_have_to_wait_for_the_bank() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.until("2026-12-20").await;
    life.changes(json!({ "cover_level": 4 }), "2027-06-01")
        .await;
    // The bank disputes the payment of the change, not the policy's.
    life.disputed().await;
    life.ann.works().await;
    life.letters();
    life.cancels("2027-03-03").await;
    let told = life.letter();
    assert_eq!(
        told[3..],
        [
            "The change that was agreed for 1 June 2027 will not come.",
            WAITS,
            "Policy: Vehicle breakdown cover",
            "Reference: BRK000000018",
            "Cover ends: end of 2 March 2027",
            "Refund: GBP 43.88, to the card that paid, on 3 March 2027",
            "Refund of the change: GBP 10.05, once your bank has decided",
        ]
    );
    life.lost().await;
    life.ann.works().await;
    life.letters();
    life.until("2027-03-03").await;
    let told = life.letter();
    assert_eq!(
        told[7..],
        [
            "Refund: GBP 43.88, to the card that paid",
            "Refund of the change: GBP 10.05, which you have had through your bank or by another refund",
        ]
    );
    assert!(!told.contains(&WAITS.to_owned()), "{told:#?}");
    life.document("Cancellation Letter").await.says(&[
        "The change that was agreed for 1 June 2027 does not come. What you paid for it is no part of the \
         refund below: You have had £10.05 already, through your bank or by another refund of your \
         payment.",
        "£43.88 goes back to the card it came from.",
    ]);
}

#[tokio::test]
async fn less_cover_gives_money_back_once_the_bank_has_decided() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.disputed().await;
    life.ann.works().await;
    life.letters();
    let offer = life.changes(json!({ "cover_level": 1 }), "2026-11-25");
    let back = -pence(&offer.await["amount_now"]);
    let told = life.letter();
    assert_eq!(told[3], WAITS);
    let sum = format!("{}.{:02}", back / 100, back % 100);
    assert_eq!(
        told.last().unwrap(),
        &format!("Refund: GBP {sum}, once your bank has decided")
    );
    life.document("Change of Policy")
        .await
        .says(&[&format!("and £{sum} waits for that.")])
        .never_says(&["three to five working days"]);
}

#[tokio::test]
async fn what_the_bank_gave_back_is_not_said_to_come_back() {
    // Within the cooling-off period, and after it: 80.49 * 328 / 365 = 72.33 are left on 1 January.
    let everything = "Everything you paid: you are within 14 days";
    let premium = "Premium for the 328 of 365 days that are left";
    for (day, label, left) in [
        ("2026-12-01", everything, 8049),
        ("2027-01-01", premium, 7233),
    ] {
        let mut life = Life::of(&young_vehicles(), true).await;
        life.disputed().await;
        life.lost().await;
        life.until(day).await;
        life.letters();
        let ended = life.cancels(day).await;
        assert_eq!(ended["refund"]["amount"], 0);
        let expected = [(label, left), ("Given back by your bank already", -left)];
        let expected = expected.map(|(label, amount)| (label.to_owned(), amount));
        assert_eq!(lines(&ended["refund"]), expected);
        assert_eq!(life.letter().last().unwrap(), "Refund: nothing");
        life.document("Cancellation Letter")
            .await
            .says(&[
                label,
                "Given back by your bank already",
                "You get back £0.00",
                "There is nothing to pay back.",
            ])
            .never_says(&["goes back to the card"]);
    }
}

#[tokio::test]
async fn what_was_paid_for_and_given_back_by_the_bank_says_both() {
    let mut life = Life::of(&young_vehicles(), true).await;
    life.until("2026-12-20").await;
    life.changes(json!({ "cover_level": 4 }), "2027-06-01")
        .await;
    life.disputed().await;
    life.lost().await;
    life.ann.works().await;
    life.letters();
    life.until("2027-06-01").await;
    let told = about(life.letters(), "has changed");
    assert_eq!(
        told[told.len() - 2..],
        ["You paid: GBP 10.05", "Given back by your bank: GBP 10.05"]
    );
    life.document("Change of Policy").await.says(&[
        "You paid £10.05",
        "Your bank has given £10.05 of it back to you.",
    ]);
}

#[tokio::test]
async fn a_receipt_that_is_printed_late_says_what_the_bank_gave_back() {
    let ann = crate::policies::Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    let life = Life {
        ann,
        policy,
        read: Vec::new(),
    };
    life.disputed().await;
    life.lost().await;
    life.ann.works().await;
    life.document("Receipt").await.says(&[
        "We have received your payment of £80.49.",
        "Given back by your bank £80.49",
    ]);
}

/// Returns the only letter with this title, from its title on.
#[track_caller]
fn titled(shop: &Shop, title: &str) -> Vec<String> {
    let letters = shop.letters();
    let mut own = letters.iter().map(stated).filter(|lines| lines[1] == title);
    let found = own.next().unwrap_or_else(|| panic!("{letters:#?}"));
    found[1..].to_vec()
}

#[tokio::test]
async fn a_payment_that_bought_nothing_waits_for_the_bank() {
    let shop = shop().await;
    let sold = sell(&shop, PAYS).await;
    let second = pay_again(&shop, &sold).await;
    let taken = [("txn_1", second.amount.0)];
    let (id, paid) = (second.id, second.amount.0);
    hears(&shop, id, paid, DisputeEvent::Opened, &taken).await;
    shop.work().await;
    let told = titled(&shop, "Your payment bought nothing");
    assert!(told[1].ends_with(WAITS), "{told:#?}");
    assert!(
        told[6].ends_with(", once your bank has decided"),
        "{told:#?}"
    );
    let read = shop.get(&format!("/api/v1/payment/{id}"));
    let read = read.bearer(&sold.quote.token).send().await;
    assert_eq!(
        read.expect(StatusCode::OK).text("/data/message"),
        "This payment was not needed: it bought nothing."
    );
}
