//! The stored card pays only a price that a letter stated.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobQueue};
use layby::domain::policy::renewal::{QuotedRenewal, RenewalStatus};
use layby::store::WriteTx;
use layby::store::tables::{self, RefusedAddress};
use poem::http::StatusCode;
use serde_json::json;

use super::{
    QUOTED, TO_THE_CHARGE, TO_THE_LAST, charges, compare, gbp, renewal_of, renewing, status, told,
    work_off,
};
use crate::policies::{Customer, PAYS, pence, young_vehicles};

async fn saves_cover(ann: &Customer, renewal: &str, level: u32) {
    let mut wanted = young_vehicles();
    wanted["values"]["cover_level"] = json!(level);
    let body = json!({ "product": wanted });
    let saved = ann.put(&format!("/api/v1/quote/{renewal}"), &body).send();
    saved.await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_renewal_saved_anew_is_told_anew_and_the_card_pays_what_was_told_last() {
    let (mut ann, _, renewal) = renewing(None, PAYS).await;
    let first = pence(compare(&ann, &renewal).await.at("/data/price"));
    // Two saves of other cover make one letter, about the second.
    for level in [5, 4] {
        saves_cover(&ann, &renewal, level).await;
    }
    ann.works().await;
    assert_eq!(told(&ann, "renewal").len(), 1, "there may be a third");
    ann.shop.clock.advance(TimeDelta::minutes(2));
    ann.works().await;
    let price = pence(compare(&ann, &renewal).await.at("/data/price"));
    assert!(price > first);
    let letters = told(&ann, "renewal");
    assert_eq!(letters.len(), 2);
    assert!(letters[1].text.contains(&gbp(price)), "{}", letters[1].text);
    assert!(letters[1].text.contains("14 November 2027"));
    ann.waits(TO_THE_LAST).await;
    let bought = ann.policy(&renewal).await;
    assert_eq!(pence(bought.at("/data/policy/paid")), price);
}

#[tokio::test]
async fn a_late_price_is_charged_seven_working_days_after_its_letter_or_not_at_all() {
    // The price changes on Saturday 13 November, a day before the charge. The last day is Wednesday 24 November.
    for (letter_waits, charge_date) in [(0, Some("23 November 2027")), (3, None)] {
        let (mut ann, policy, renewal) = renewing(None, PAYS).await;
        ann.waits(TO_THE_CHARGE - 1).await;
        saves_cover(&ann, &renewal, 5).await;
        ann.shop.clock.advance(TimeDelta::days(letter_waits));
        jobs::daily(&ann.shop.app).await.unwrap();
        work_off(&ann, JobQueue::Shop).await;
        assert_eq!(charges(&ann), 0);
        ann.shop.clock.advance(TimeDelta::minutes(2));
        ann.works().await;
        let price = pence(compare(&ann, &renewal).await.at("/data/price"));
        let letter = told(&ann, "renewal").pop().unwrap();
        assert!(letter.text.contains(&gbp(price)), "{}", letter.text);
        assert_eq!(letter.text.contains("We charge"), charge_date.is_some());
        assert!(charge_date.is_none_or(|date| letter.text.contains(date)));
        ann.logs_in().await;
        let next_year = ann.policy(&policy).await.text("/data/policy/next_year");
        assert_eq!(
            next_year == "by_itself",
            charge_date.is_some(),
            "{next_year}"
        );
        ann.waits(9 - letter_waits).await;
        assert_eq!(charges(&ann), 0);
        ann.waits(2).await;
        assert_eq!(charges(&ann), usize::from(charge_date.is_some()));
        let is_bought = status(&ann, &renewal).await == 5;
        assert_eq!(is_bought, charge_date.is_some());
        assert!(told(&ann, "is not renewed yet").is_empty());
    }
}

#[tokio::test]
async fn a_renewal_that_no_letter_told_of_is_not_charged() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    let forget = move |tx: &mut WriteTx<'_>| {
        let uuid = policy.parse().unwrap();
        let mut row = tables::POLICIES.get(tx, &uuid)?.unwrap();
        let quoted = *row.renewal.quoted().unwrap();
        assert_eq!(quoted.notice.map(|notice| notice.revision), Some(1));
        row.renewal = RenewalStatus::Quoted(QuotedRenewal {
            notice: None,
            ..quoted
        });
        tables::POLICIES.put(tx, &uuid, &row)
    };
    ann.shop.app.store.write(forget).await.unwrap();
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(status(&ann, &renewal).await, 1);
}

#[tokio::test]
async fn a_letter_that_was_refused_for_good_has_told_nobody() {
    let mut ann = Customer::new().await;
    let policy = ann.buys(&young_vehicles(), PAYS).await;
    // The refusal is later than every letter of this test, as if it came from the recipient's server.
    let address = ann.addresses[0].to_lowercase();
    let refuse = move |tx: &mut WriteTx<'_>| {
        let row = RefusedAddress {
            at: "2030-01-01T00:00:00Z".parse().unwrap(),
            reason: "no such mailbox".to_string(),
        };
        tables::REFUSED_ADDRESSES.put(tx, &address, &row)
    };
    ann.shop.app.store.write(refuse).await.unwrap();
    ann.sleeps(QUOTED).await;
    ann.waits(TO_THE_LAST).await;
    assert_eq!(charges(&ann), 0);
    let renewal = renewal_of(&ann, &policy).await;
    assert_eq!(status(&ann, &renewal).await, 1, "it can be bought by hand");
}
