//! Gadget cover from its list to its price, and every fault of a gadget.

use poem::http::StatusCode;
use serde_json::{Value, json};

use super::buy;
use crate::support::{Answer, Shop, two_gadgets};

/// Returns gadget cover for a phone and a laptop, with one answer of the phone changed.
fn with_phone(change: &Value) -> Value {
    let mut product = two_gadgets();
    for (name, value) in change.as_object().unwrap() {
        product["multi"]["gadgets"][0][name] = value.clone();
    }
    product
}

#[tokio::test]
async fn gadget_cover_looks_its_address_up() {
    let shop = Shop::new().await;
    let form = shop.get("/api/v2/openapi/product/gadget").send().await;
    let datasets = form.at("/form/datasets").as_array().unwrap().iter();
    let fields: Vec<_> = datasets
        .flat_map(|dataset| dataset["fields"].as_array().unwrap())
        .collect();
    let at = |name: &str| fields.iter().position(|field| field["name"] == name);
    let postcode = at("postcode_primary").unwrap();
    assert_eq!(fields[postcode]["kind"], "address_lookup");
    assert_eq!(
        fields[postcode]["lookup"]["fills"],
        json!({ "lines": "address_primary" })
    );
    assert_eq!(at("address_primary"), Some(postcode + 1), "it comes after");
    assert!(fields.iter().all(|field| field["kind"] != "vehicle_lookup"));
}

#[tokio::test]
async fn gadget_cover_is_listed_with_its_steps_and_assumptions() {
    let shop = Shop::new().await;
    let list = shop.get("/api/v2/product/list").send().await;
    assert_eq!(
        list.body,
        json!([
            { "product_title": "Vehicle breakdown cover", "identifier": "breakdown" },
            { "product_title": "Gadget cover", "identifier": "gadget" },
        ])
    );
    let enabled = shop.get("/api/v2/products/enabled").send().await;
    let sold = |identifier: &str, title: &str, short: &str, stepper: &str| {
        json!({
            "identifier": identifier, "product_title": title, "product_short_title": short,
            "enabled": true, "stepper": stepper,
        })
    };
    assert_eq!(
        enabled.at("/data"),
        &json!([
            sold("breakdown", "Vehicle breakdown cover", "Breakdown", "form"),
            sold("gadget", "Gadget cover", "Gadget", "generic"),
        ])
    );
    let whole = shop.get("/api/v2/openapi/product/gadget").send().await;
    assert_eq!(whole.at("/info/assumptions/title"), "Gadget assumptions");
    assert_eq!(
        whole
            .at("/info/assumptions/points")
            .as_array()
            .unwrap()
            .len(),
        4
    );
    assert_eq!(whole.at("/info/price_from"), 14.0);
    let other = shop.get("/api/v2/openapi/product/breakdown").send().await;
    assert_eq!(other.at("/info/assumptions"), &Value::Null);
    // The help text, the plural, and the length limit of an affiliate's list.
    assert_eq!(whole.text("/info/help/title"), "Need to claim?");
    assert_eq!(whole.at("/info/help/assistance"), false);
    assert_eq!(other.at("/info/help/assistance"), true);
    assert_eq!(
        whole.at("/info/affiliates"),
        &json!([{ "dataset": "gadgets", "more": 0 }])
    );
    assert_eq!(
        other.at("/info/affiliates"),
        &json!([{ "dataset": "vehicles", "more": 0 }, { "dataset": "persons", "more": 1 }])
    );
    let plural = |whole: &Answer, identifier: &str| {
        let datasets = whole.at("/form/datasets").as_array().unwrap();
        let named = datasets
            .iter()
            .find(|each| each["identifier"] == identifier);
        named.unwrap().get("plural").cloned()
    };
    assert_eq!(plural(&whole, "gadgets"), Some(json!("gadgets")));
    assert_eq!(plural(&other, "persons"), Some(json!("people")));
    assert_eq!(plural(&other, "cover"), None);
    let steps = shop
        .get("/api/v2/openapi/product/gadget/stepper")
        .send()
        .await;
    let steps = steps
        .at("/product_steps/quote/steps")
        .as_array()
        .unwrap()
        .clone();
    let numbers: Vec<_> = steps.iter().map(|step| step["number"].clone()).collect();
    assert_eq!(numbers, [10, 20, 30, 40]);
}

#[tokio::test]
async fn gadget_cover_is_priced_quoted_read_accepted_and_paid() {
    let shop = Shop::new().await;
    let priced = shop
        .post(
            "/api/v1/price",
            &json!({ "product_identifier": "gadget", "product": two_gadgets() }),
        )
        .succeeds()
        .await;
    // £54.00 and £43.00, theft 45 and 30 percent, loss £16.00 and £12.00, ten percent off.
    assert_eq!(priced.at("/data/figures/amount_taxed"), 163.5);
    let quote = shop.quote(&two_gadgets()).await;
    assert!(
        quote.body["data"]["custom_id"]
            .as_str()
            .unwrap()
            .starts_with("GAD")
    );
    let read = shop.read(&quote).await.expect(StatusCode::OK);
    assert_eq!(read.at("/data/info/status_id"), 1);
    assert_eq!(read.at("/data/info/flags/buyable"), true);
    assert_eq!(read.at("/data/info/price/amount_total"), 163.5);
    assert_eq!(read.at("/data/info/summary/0/text"), "Phone, Laptop");
    assert_eq!(read.at("/data/values/number_of_gadgets"), 2);
    let lines = read.at("/data/info/price/lines").as_array().unwrap();
    let pence = |value: &Value| (value.as_f64().unwrap() * 100.0).round() as i64;
    let sum: i64 = lines.iter().map(|line| pence(&line["amount"])).sum();
    assert_eq!(sum, 16350);

    let policy = buy(&shop, &two_gadgets()).await;
    assert_eq!(policy.at("/data/info/status_id"), 5);
    assert_eq!(policy.at("/data/policy/paid"), 163.5);
    // The term starts today, so cover begins at the moment of the purchase.
    assert_eq!(policy.at("/data/policy/inception"), "2026-11-21");
    assert_eq!(policy.at("/data/policy/expiry"), "2027-11-20");
    assert_eq!(
        policy.at("/data/policy/cover_begins"),
        policy.at("/data/policy/purchased")
    );
}

#[tokio::test]
async fn gadget_cover_is_declined_for_each_assumption_that_does_not_hold() {
    let shop = Shop::new().await;
    let phone = shop.app.config.site.phone.clone();
    for change in [
        json!({ "working_order": 2 }),
        json!({ "damaged": 1 }),
        json!({ "purchase_date": "01.05.2025" }),
        json!({ "proof_of_purchase": 2 }),
        json!({ "bought_as": "other" }),
        json!({ "bought_from": "elsewhere" }),
        json!({ "bought_as": "refurbished", "bought_from": "retailer" }),
    ] {
        let quote = shop.quote(&with_phone(&change)).await;
        assert_eq!(quote.body["data"]["status_id"], 31, "{change}");
        let reason = quote.body["data"]["reason"].as_str().unwrap();
        assert!(reason.contains(&phone), "{change}: {reason}");
        let refused = shop.accept(&quote).await.expect(StatusCode::CONFLICT);
        assert_eq!(refused.text("/code"), "not_offered", "{change}");
    }
    let dear = shop.quote(&with_phone(&json!({ "value": 4000 }))).await;
    assert_eq!(dear.body["data"]["status_id"], 7);
}

#[tokio::test]
async fn every_fault_of_a_gadget_is_named_and_its_assumptions_must_be_agreed_to() {
    let shop = Shop::new().await;
    let mut faulty = with_phone(&json!({
        "gadget_type": "boat", "make": "", "purchase_date": "22.11.2026", "value": -1,
        "working_order": null, "bought_from": "him",
    }));
    faulty["multi"]["gadgets"][1]["serial_number"] = json!("1");
    faulty["multi"]["gadgets"][0]["serial_number"] = json!("1");
    let refused = shop
        .post("/api/v2/public/quote/gadget", &json!({ "product": faulty }))
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(
        refused.fields(),
        [
            "gadgets.0.gadget_type",
            "gadgets.0.make",
            "gadgets.0.purchase_date",
            "gadgets.0.value",
            "gadgets.0.working_order",
            "gadgets.0.bought_from",
            "gadgets.1.serial_number",
        ]
    );
    let mut eleven = two_gadgets();
    let phone = eleven["multi"]["gadgets"][0].clone();
    eleven["multi"]["gadgets"] = Value::Array(vec![phone; 11]);
    let refused = shop
        .post("/api/v2/public/quote/gadget", &json!({ "product": eleven }))
        .answers(StatusCode::UNPROCESSABLE_ENTITY)
        .await;
    assert_eq!(refused.fields(), ["gadgets"]);

    let mut unread = two_gadgets();
    unread["values"]["assumptions_confirmed"] = json!(false);
    let quote = shop.quote(&unread).await;
    let refused = shop
        .accept(&quote)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["assumptions_confirmed"]);
}

#[tokio::test]
async fn an_affiliates_list_has_an_entry_for_each_gadget_at_the_most() {
    let shop = Shop::new().await;
    for (entries, status) in [
        (2, StatusCode::CREATED),
        (3, StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let requests: serde_json::Map<_, _> = (0..entries)
            .map(|n| (format!("id{n}"), json!({})))
            .collect();
        let body = json!({
            "product": two_gadgets(),
            "affiliate_extra": { "multiple": true, "requests": requests },
        });
        shop.post("/api/v2/public/quote/gadget", &body)
            .answers(status)
            .await;
    }
}
