//! Payers whose names and addresses a gateway could refuse. The doubles check lengths and characters.

use layby::domain::payment::PaymentStatus;
use layby::products::Catalogue;
use layby::store::tables;
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::gateways::{Gateway, Sale, paid};
use crate::globalpayments::double::{Entered, Outcome};
use crate::globalpayments::till::Till as GlobalPayments;
use crate::smartpayfuse::double::Verdict;
use crate::smartpayfuse::till::{Till as SmartpayFuse, get, settings as fuse_settings};
use crate::support::{Answer, Made, Shop, two_vehicles_with};

/// Returns answers of a policyholder with this name, and an address of two lines with 300 letters.
fn named(first: &str, last: &str) -> Value {
    let mut product = two_vehicles_with("first_name", first);
    product["values"]["last_name"] = json!(last);
    product["values"]["address_primary"] = json!(["Щ".repeat(249), "Щ".repeat(50)].join("\n"));
    product
}

#[tokio::test]
async fn a_policyholder_of_any_name_pays() {
    // One of these letters is four letters in ASCII.
    let long = "Щ".repeat(50);
    let table = [
        ("Zoë", "O’Neill, Jr", ["Zoe", "O'Neill Jr"]),
        ("Иван", "Щук", ["Ivan", "Shchuk"]),
        (&long, &long, ["Shch", "Shch"]),
    ];
    let (shop, [_, global_payments, fuse]) = paid().await;
    for (first, last, expected) in table {
        let product = named(first, last);
        let sale = Sale::new(&shop, global_payments.gateway.clone(), &product).await;
        sale.sells(&shop).await;
        let Gateway::GlobalPayments(double) = &sale.gateway else {
            panic!();
        };
        let mut seen = double.seen().into_iter();
        let link = seen.rfind(|seen| seen.call == "POST /links");
        let payer = &link.unwrap().body["payer"];
        let sent = [&payer["first_name"], &payer["last_name"]];
        assert_names(sent.map(|name| name.as_str().unwrap()), expected);

        let sale = Sale::new(&shop, fuse.gateway.clone(), &product).await;
        sale.sells(&shop).await;
        let answer = serde_urlencoded::from_bytes(&sale.genuine.body).unwrap();
        let sent = ["req_bill_to_forename", "req_bill_to_surname"];
        assert_names(sent.map(|name| get(&answer, name)), expected);
    }
}

/// Compares names. A long one is cut.
#[track_caller]
fn assert_names(sent: [&str; 2], expected: [&str; 2]) {
    for (sent, expected) in sent.into_iter().zip(expected) {
        let is_cut = sent.len() >= 50 && sent.starts_with(expected);
        assert!(sent == expected || is_cut, "{sent}");
    }
}

#[tokio::test]
async fn a_name_of_two_hundred_letters_is_refused_by_the_form() {
    let shop = Shop::new().await;
    let product = two_vehicles_with("last_name", "a".repeat(200));
    let refused = shop.create(&product).send().await;
    let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["last_name"]);
}

const POSTCODE: &str = "LS6 1AB";

/// Saves and accepts the quote with a postcode that the gateway takes.
async fn correct_postcode(shop: &Shop, quote: &Made) {
    let product = two_vehicles_with("postcode_primary", "EX1 1EX");
    shop.update(quote, &product).succeeds().await;
    shop.accept(quote).await.expect(StatusCode::OK);
}

/// Checks that the customer reads that the card was not charged.
fn assert_not_charged(read: &Answer) {
    assert_eq!(read.at("/data/status"), "failed");
    assert_eq!(read.at("/data/charged"), false);
}

#[tokio::test]
async fn a_postcode_that_global_payments_refuses_sells_nothing_until_it_is_corrected() {
    let till = GlobalPayments::open().await;
    till.double.refuse(POSTCODE);
    let refused = till.initiate().await.expect(StatusCode::CONFLICT);
    assert_eq!(refused.text("/code"), "gateway_refused");
    assert!(refused.text("/message").contains("01632 960 123"));
    assert_eq!((till.links(), till.balance()), (0, 0));
    assert_not_charged(&till.poll().await);

    correct_postcode(&till.shop, &till.quote).await;
    till.initiate().await.expect(StatusCode::OK);
    assert_eq!(till.pay(Entered::Good), Outcome::Paid);
    till.receive_all().await;
    assert!(till.sold());
    let bought = till.attempts().pop().unwrap();
    assert_eq!(till.balance(), bought.amount.0);
}

#[tokio::test]
async fn a_postcode_that_fuse_refuses_sells_nothing_until_it_is_corrected() {
    let till = SmartpayFuse::open().await;
    till.double.refuse(POSTCODE);
    let answer = till.end(Verdict::Accept).await;
    assert_eq!(get(&answer, "reason_code"), "102");
    till.post(&answer).await.expect(StatusCode::OK);
    let read = till.looks().await;
    assert_not_charged(&read);
    // No bank has declined anything.
    let text = "The payment page refused your details. Please check your name and address.";
    assert_eq!(read.at("/data/message"), text);
    assert_eq!((till.status(), till.kept()), (PaymentStatus::Failed, 0));

    correct_postcode(&till.shop, &till.quote).await;
    let answer = till.end(Verdict::Accept).await;
    till.post(&answer).await.expect(StatusCode::OK);
    till.assert_sold_once();
}

#[tokio::test]
async fn an_address_of_one_line_needs_its_town_only_where_fuse_is_offered() {
    let fuse = SmartpayFuse::open().await;
    for (shop, needs_town) in [(&fuse.shop, true), (&Shop::new().await, false)] {
        let site = shop.get("/api/v1/site").send().await;
        assert_eq!(site.at("/data/needs_town"), needs_town);
        let product = two_vehicles_with("address_primary", "1 High Street\n");
        for (step, asks_address) in [(1, false), (2, true)] {
            let body = json!({
                "values": product["values"], "multi": product["multi"], "step": step,
            });
            let checked = shop.post("/api/v1/form/breakdown/check", &body);
            let checked = checked.answers(StatusCode::OK).await;
            let error = checked.body.pointer("/data/errors/address_primary/0");
            let error = error.and_then(Value::as_str);
            let expected = (needs_town && asks_address).then_some("Enter your town or city");
            assert_eq!(error, expected, "{step}");
        }
        // The quote is saved, and the town is added before the payment.
        let quote = shop.quote(&product).await;
        if needs_town {
            let refused = shop.accept(&quote).await;
            let refused = refused.expect(StatusCode::UNPROCESSABLE_ENTITY);
            assert_eq!(refused.fields(), ["address_primary"]);
            let product = two_vehicles_with("address_primary", "1 High Street\nLeeds");
            shop.update(&quote, &product).succeeds().await;
        }
        shop.accept(&quote).await.expect(StatusCode::OK);
    }
}

#[tokio::test]
async fn a_quote_accepted_before_fuse_was_offered_needs_its_town_at_the_payment() {
    let fuse = SmartpayFuse::open().await;
    let sandbox = Shop::new().await;
    let product = two_vehicles_with("address_primary", "1 High Street");
    let quote = sandbox.quote(&product).await;
    sandbox.accept(&quote).await.expect(StatusCode::OK);
    let settings = fuse_settings(&fuse.double, "[\"smartpayfuse\"]", "");
    let catalogue = Catalogue::load(None).unwrap();
    let shop = sandbox.restarted(&settings, catalogue).await;
    let body = json!({ "uuid": quote.uuid });
    let initiate = || {
        let call = shop.post("/api/v1/gateway/smartpayfuse/initiate", &body);
        call.bearer(&quote.token)
    };
    let refused = initiate().answers(StatusCode::CONFLICT).await;
    assert_eq!(refused.text("/code"), "town_missing");
    assert!(shop.rows(&tables::PAYMENTS).is_empty());

    let product = two_vehicles_with("address_primary", "1 High Street\nLeeds");
    shop.update(&quote, &product).succeeds().await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    initiate().answers(StatusCode::OK).await;
}
