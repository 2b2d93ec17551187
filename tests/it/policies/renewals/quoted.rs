//! The quote of a renewal: made four weeks ahead, never dearer than for a new customer.

use layby::app::jobs;
use layby::app::payments::status;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{
    QUOTED, by_hand, charges, compare, gbp, listed, renewal_of, shop_with_prices, status, told,
};
use crate::policies::{Customer, PAYS, pence, young_vehicles};
use crate::support::{two_gadgets, two_vehicles};

#[tokio::test]
async fn four_weeks_ahead_it_is_quoted_once_listed_apart_and_mailed_with_both_prices() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED - 1).await;
    assert_eq!(
        ann.policy(&policy).await.at("/data/policy/renewal"),
        &Value::Null
    );
    ann.sleeps(1).await;
    for _ in 0..3 {
        jobs::daily(&ann.shop.app).await.unwrap();
        ann.works().await;
    }
    let renewal = renewal_of(&ann, &policy).await;
    let compared = compare(&ann, &renewal).await;
    assert_eq!(compared.at("/data/policy_uuid"), policy.as_str());
    assert_eq!(compared.at("/data/starts"), "2027-11-25");
    assert_eq!(compared.at("/data/auto_renew"), false);
    assert_eq!(compared.at("/data/charge_on"), &Value::Null);
    let paid = ann.policy(&policy).await.at("/data/policy/paid").clone();
    assert_eq!(compared.at("/data/price_last_year"), &paid);
    // The only difference is that the vehicles are in a dearer age band.
    let differences = compared.at("/data/differences").as_array().unwrap();
    assert_eq!(differences.len(), 1);
    assert!(pence(&differences[0]["amount"]) > 0);

    let all = "quoteStatus[]=1&quoteStatus[]=2";
    let renewals = listed(&ann, "flags[]=renewal_quote").await;
    assert_eq!(renewals.len(), 1);
    assert_eq!(renewals[0]["policy_uuid"], renewal.as_str());
    assert_eq!(renewals[0]["status_id"], 1);
    assert_eq!(
        listed(&ann, &format!("{all}&exclude_flags[]=renewal_quote")).await,
        Vec::<Value>::new()
    );

    let letters = told(&ann, "renewal");
    assert_eq!(letters.len(), 1, "mailed once");
    // These are the words of the website and of the renewal notice.
    for (words, price, days) in [
        (
            "Your current cover",
            "price_last_year",
            ", until 24 November 2027",
        ),
        ("Your next year", "price", ", from 25 November 2027"),
        ("A new customer today", "price_new_customer", ""),
    ] {
        let price = gbp(pence(compared.at(&format!("/data/{price}"))));
        let line = format!("{words}: {price}{days}");
        let text = &letters[0].text;
        let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&line), "{text}");
    }
    assert_eq!(letters[0].link("/quote/edit/"), renewal);
    assert_eq!(letters[0].link("/policy/view/"), policy);
    // No other customer can read it.
    let stranger = ann.stranger().await;
    for path in ["/api/v1/renewal/", "/api/v2/openapi/quote/read/"] {
        let call = ann.shop.get(&format!("{path}{renewal}"));
        call.cookies(&stranger).answers(StatusCode::NOT_FOUND).await;
    }
    ann.get(&format!("/api/v1/renewal/{policy}"))
        .answers(StatusCode::NOT_FOUND)
        .await;
}

#[tokio::test]
async fn it_is_never_dearer_than_for_a_new_customer_of_the_day_it_is_agreed_to() {
    let cheaper = [("[3, 1, 43.00]", "[3, 1, 23.00]")];
    let dearer = [("[3, 1, 43.00]", "[3, 1, 83.00]")];
    for (changed, from, falls, rises) in [
        (&cheaper, "2027-10-01", true, false),
        (&dearer, "2027-10-01", false, true),
        // The new price list comes between the quote and the purchase.
        (&cheaper, "2027-11-10", true, false),
        (&dearer, "2027-11-10", false, false),
    ] {
        let mut ann = Customer::of(shop_with_prices(from, changed).await).await;
        let policy = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
        ann.sleeps(QUOTED).await;
        let renewal = renewal_of(&ann, &policy).await;
        let first = compare(&ann, &renewal).await;
        let listed = first.at("/data/differences").as_array().unwrap().iter();
        let listed: Vec<_> = listed.map(|one| one["label"].as_str().unwrap()).collect();
        let new_list = listed.contains(&"Our prices have changed");
        assert_eq!(new_list, from == "2027-10-01", "{listed:?}");
        ann.sleeps(20).await; // 16 November.
        ann.pays_for(&renewal, PAYS, false).await;
        let bought = ann.policy(&renewal).await;
        let paid = pence(bought.at("/data/policy/paid"));

        // The price of the same cover for a new customer today.
        let mut new = young_vehicles();
        new["values"]["start_date"] = json!("25.11.2027");
        let new = ann.shop.quote(&new).await;
        let new = ann.shop.read(&new).await;
        let new = pence(new.at("/data/info/price/amount_total"));
        assert!(paid <= new, "{paid} is more than {new}");
        let quoted = pence(first.at("/data/price"));
        let last_year = pence(first.at("/data/price_last_year"));
        assert_eq!(paid < last_year, falls, "{from}");
        // A quoted price does not rise.
        assert!(paid <= quoted, "{paid} is more than {quoted}");
        assert_eq!(quoted > last_year + 3000, rises, "{from}");
        compare(&ann, &renewal).await;
    }
}

/// One tab saves other answers while another tab accepts the renewal. The price list has become cheaper, so
/// the acceptance first lowers the price.
#[tokio::test]
async fn a_save_beside_the_acceptance_is_not_accepted_unseen() {
    let cheaper = [("[3, 1, 43.00]", "[3, 1, 23.00]")];
    for _ in 0..5 {
        let mut ann = Customer::of(shop_with_prices("2027-11-10", &cheaper).await).await;
        let policy = ann.buys_for_now(&young_vehicles(), PAYS, false).await;
        ann.sleeps(QUOTED + 20).await;
        let renewal = renewal_of(&ann, &policy).await;
        let shown = ann.shop.row(&tables::QUOTES, &renewal.parse().unwrap());
        let shown = shown.current.number;
        let mut wanted = young_vehicles();
        wanted["values"]["cover_level"] = json!(4);
        let body = json!({ "product": wanted, "revision_id": shown });
        let save = ann.put(&format!("/api/v1/quote/{renewal}"), &body);
        let body = json!({ "terms_and_conditions": true, "revision_id": shown });
        let accept = ann.post(&format!("/api/v1/quote/update-accept/{renewal}"), &body);
        let (saved, accepted) = tokio::join!(save.send(), accept.send());
        let statuses = [saved.status, accepted.status];
        assert!(statuses.contains(&StatusCode::OK), "{statuses:?}");
        assert!(statuses.contains(&StatusCode::CONFLICT), "{statuses:?}");
    }
}

#[tokio::test]
async fn it_can_be_changed_before_it_is_bought_but_not_its_first_day() {
    let (mut ann, policy) = by_hand().await;
    ann.sleeps(QUOTED).await;
    let renewal = renewal_of(&ann, &policy).await;
    let path = format!("/api/v1/quote/{renewal}");
    let mut wanted = young_vehicles();
    wanted["values"]["cover_level"] = json!(4);
    wanted["values"]["start_date"] = json!("01.12.2027");
    wanted["values"]["email_primary"] = json!("somebody@example.org");
    let body = json!({ "product": wanted, "revision_id": 1 });
    let saved = ann.put(&path, &body).succeeds().await;
    assert_eq!(saved.at("/data/notices"), &json!([]), "its own policy");
    ann.put(&path, &body).answers(StatusCode::CONFLICT).await;
    let read = ann
        .get(&format!("/api/v2/openapi/quote/read/{renewal}"))
        .send()
        .await;
    assert_eq!(read.at("/data/values/cover_level"), 4);
    assert_eq!(read.at("/data/values/start_date"), "25.11.2027");
    assert_ne!(
        read.at("/data/values/email_primary"),
        "somebody@example.org"
    );
    let compared = compare(&ann, &renewal).await;
    let differences = compared.at("/data/differences").as_array().unwrap();
    let last = differences.last().unwrap();
    assert_eq!(last["label"], "Your answers have changed");

    // After a save as a draft and another complete save, the quote is still the renewal, with the same days.
    for draft in [true, false] {
        let body = json!({ "product": wanted, "draft": draft });
        ann.put(&path, &body).succeeds().await;
    }
    ann.sleeps(28).await;
    assert_eq!(status(&ann, &renewal).await, 1);
    ann.pays_for(&renewal, PAYS, false).await;
    let next = ann.policy(&renewal).await;
    assert_eq!(next.at("/data/policy/inception"), "2027-11-25");
}

#[tokio::test]
async fn what_cant_be_renewed_is_said_with_why_and_no_card_is_charged() {
    let mut ann = Customer::new().await;
    // The vehicle was registered in 2012, so it is more than 15 years old a year later.
    let policy = ann.buys(&two_vehicles(), PAYS).await;
    ann.sleeps(QUOTED).await;
    let letters = told(&ann, "can't be renewed");
    assert_eq!(letters.len(), 1);
    assert!(letters[0].text.contains("over 15 years old"));
    let renewal = renewal_of(&ann, &policy).await;
    assert_eq!(status(&ann, &renewal).await, 31);
    assert_eq!(
        ann.policy(&policy).await.at("/data/policy/can/renew"),
        false
    );
    ann.waits(30).await;
    assert_eq!(charges(&ann), 0);
    assert!(told(&ann, "is not renewed yet").is_empty());
    assert_eq!(told(&ann, "has ended").len(), 1);
    assert_eq!(status(&ann, &policy).await, 15);
}

#[tokio::test]
async fn a_gadget_too_old_for_a_new_customer_is_renewed() {
    let mut ann = Customer::new().await;
    // Bought on 1 October 2026; cover from 21 November 2026 to 20 November 2027.
    let policy = ann.buys_for_now(&two_gadgets(), PAYS, false).await;
    ann.sleeps(337).await;
    let first = renewal_of(&ann, &policy).await;
    // The assumptions are confirmed again each year.
    let confirmed = json!({ "product": two_gadgets() });
    let saved = ann.put(&format!("/api/v1/quote/{first}"), &confirmed);
    saved.succeeds().await;
    ann.pays_for(&first, PAYS, false).await;
    // A year later they are two years old.
    ann.sleeps(365).await;
    assert_eq!(status(&ann, &policy).await, 16);
    let second = renewal_of(&ann, &first).await;
    compare(&ann, &second).await;
    let path = format!("/api/v1/quote/{second}");
    let mut same = two_gadgets();
    same["values"]["excess"] = json!(100);
    for draft in [true, false] {
        let body = json!({ "product": same, "draft": draft });
        ann.put(&path, &body).succeeds().await;
    }
    assert_eq!(status(&ann, &second).await, 1);
    ann.pays_for(&second, PAYS, false).await;
    assert_eq!(status(&ann, &second).await, 5);
}

#[tokio::test]
async fn a_visitor_who_never_logged_in_hears_of_the_renewal_too() {
    let mut ann = Customer::new().await;
    let made = ann.shop.quote(&young_vehicles()).await;
    let payment = ann.shop.buy(&made, PAYS).await;
    status::sync_payment_status(&ann.shop.app, payment)
        .await
        .unwrap();
    ann.sleeps(QUOTED).await;
    let letters = told(&ann, "renewal");
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].to, "ann@example.org");
    // The visitor's token gives no access here.
    let renewal = letters[0].link("/quote/edit/");
    let call = ann.shop.get(&format!("/api/v1/renewal/{renewal}"));
    let refused = call.bearer(&made.token).send().await;
    assert!(refused.status.is_client_error());
    ann.sleeps(29).await;
    assert_eq!(told(&ann, "has ended")[0].to, "ann@example.org");
}
