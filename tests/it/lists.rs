//! The list of a user's own policies and quotes.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Shop, two_vehicles};

/// Logs in a customer with every kind of quote and policy.
async fn customer(shop: &Shop) -> String {
    let user = shop.seed(1, 60).await.remove(0);
    shop.log_in(&user).await
}

async fn list(shop: &Shop, cookie: &str, query: &str) -> Answer {
    shop.get(&format!("/api/v2/policy/list?{query}"))
        .header("Cookie", cookie)
        .send()
        .await
}

fn column(page: &Answer, name: &str) -> Vec<Value> {
    let rows = page.at("/data").as_array().unwrap();
    rows.iter().map(|row| row[name].clone()).collect()
}

#[tokio::test]
async fn pages_are_ten_rows_newest_first_and_hold_every_row_once() {
    let shop = Shop::new().await;
    let cookie = customer(&shop).await;
    let mut seen = Vec::new();
    let first = list(&shop, &cookie, "page=0").await.expect(StatusCode::OK);
    let last = first.at("/last_page").as_u64().unwrap();
    for page in 1..=last {
        let page = list(&shop, &cookie, &format!("page={page}&sortBy=id&desc=true")).await;
        assert_eq!(page.at("/per_page"), 10);
        seen.extend(column(&page, "policy_uuid"));
    }
    assert_eq!(first.at("/current_page"), 1);
    assert_eq!(column(&first, "policy_uuid"), seen[..10]);
    assert_eq!(seen.len() as u64, first.at("/total").as_u64().unwrap());
    assert!(seen.len() >= 60, "renewal quotes come on top");
    let mut sorted = seen.clone();
    sorted.sort_by_key(|uuid| std::cmp::Reverse(uuid.to_string()));
    sorted.dedup();
    assert_eq!(sorted, seen);
    // A page past the end is empty, and names the last page.
    let past = list(&shop, &cookie, "page=4000000000000").await;
    assert_eq!(past.at("/data"), &json!([]));
    assert_eq!(past.at("/last_page"), last);
    // A row has the columns of the website's table.
    let row = first.at("/data/0").as_object().unwrap();
    for name in [
        "custom_id",
        "product_short_title",
        "status_id",
        "status_title",
        "holder_name",
        "date_created",
        "date_inception",
        "date_quote_expiry",
        "date_expiry",
        "amount_total",
        "currency",
        "policy_uuid",
    ] {
        assert!(row.contains_key(name), "{name}");
    }
}

#[tokio::test]
async fn every_column_sorts_both_ways() {
    let shop = Shop::new().await;
    let cookie = customer(&shop).await;
    for name in [
        "custom_id",
        "status_id",
        "holder_name",
        "date_created",
        "date_inception",
        "date_quote_expiry",
        "date_expiry",
        "amount_total",
    ] {
        let sorted = |desc: bool| {
            let query = format!("limit=100&sortBy={name}&desc={desc}");
            let (shop, cookie) = (&shop, &cookie);
            async move {
                let page = list(shop, cookie, &query).await.expect(StatusCode::OK);
                // Missing values sort first.
                column(&page, name)
                    .iter()
                    .map(|value| match value {
                        Value::Null => (0, 0.0, String::new()),
                        Value::Number(number) => (1, number.as_f64().unwrap(), String::new()),
                        other => (1, 0.0, other.as_str().unwrap().to_lowercase()),
                    })
                    .collect::<Vec<_>>()
            }
        };
        let (up, down) = (sorted(false).await, sorted(true).await);
        assert!(up.len() >= 60);
        assert!(up.is_sorted(), "{name}: {up:?}");
        assert!(down.is_sorted_by(|a, b| a >= b), "{name}");
        assert!(up.first() != up.last(), "{name} has more than one value");
    }
}

#[tokio::test]
async fn filters_narrow_by_status_flag_holder_reference_and_product() {
    let shop = Shop::new().await;
    let cookie = customer(&shop).await;
    let all = list(&shop, &cookie, "limit=100").await;
    let total = all.at("/total").as_u64().unwrap();

    // The specification's lists: quotes, policies, renewals.
    let quotes = "quoteStatus%5B%5D=1&quoteStatus[]=2&quoteStatus[]=7&quoteStatus[]=14&\
                  quoteStatus[]=30&quoteStatus[]=31&exclude_flags[]=renewal_quote";
    let policies = "quoteStatus[]=5&quoteStatus[]=8&quoteStatus[]=15&quoteStatus[]=16";
    let renewals = "flags[]=renewal_quote";
    let mut ids = Vec::new();
    for (query, statuses) in [
        (quotes, vec![1, 2, 7, 14, 30, 31]),
        (policies, vec![5, 8, 15, 16]),
        (renewals, vec![1]),
    ] {
        let page = list(&shop, &cookie, &format!("limit=100&{query}")).await;
        let found = column(&page, "status_id");
        assert!(!found.is_empty(), "{query}");
        for status in &found {
            assert!(statuses.contains(&status.as_u64().unwrap()), "{query}");
        }
        for status in statuses {
            assert!(found.contains(&json!(status)), "{query} has {status}");
        }
        ids.extend(column(&page, "policy_uuid"));
    }
    let count = ids.len();
    ids.sort_by_key(ToString::to_string);
    ids.dedup();
    assert_eq!(ids.len(), count, "no row stands in two of the lists");
    // The rest are lapsed quotes and drafts of changes.
    let lapsed = list(&shop, &cookie, "limit=100&quoteStatus[]=32&quoteStatus[]=9").await;
    assert_eq!(
        ids.len() as u64 + lapsed.at("/total").as_u64().unwrap(),
        total
    );

    let reference = all.text("/data/0/custom_id");
    let part = reference[1..].to_lowercase();
    let found = list(&shop, &cookie, &format!("policyID={part}")).await;
    assert_eq!(column(&found, "custom_id"), [json!(reference)]);
    let named = column(&all, "holder_name").into_iter();
    let mut named = named.filter_map(|name| name.as_str().map(str::to_uppercase));
    let holder = named.find(|name| !name.is_empty()).unwrap();
    let found = list(
        &shop,
        &cookie,
        &format!("limit=100&policyHolder={}", holder.replace(' ', "%20")),
    )
    .await;
    assert!(found.at("/total").as_u64().unwrap() >= 1);
    for name in column(&found, "holder_name") {
        assert_eq!(name.as_str().unwrap().to_uppercase(), holder);
    }
    let mut found = Vec::new();
    for product in ["breakdown", "1", "gadget", "2", "nothing"] {
        let page = list(&shop, &cookie, &format!("productID={product}")).await;
        found.push(page.at("/total").as_u64().unwrap());
    }
    let [breakdown, gadgets] = [found[0], found[2]];
    assert!(breakdown > 0 && gadgets > 0);
    assert_eq!(found, [breakdown, breakdown, gadgets, gadgets, 0]);
    assert_eq!(breakdown + gadgets, total);
}

#[tokio::test]
async fn nobody_sees_anybody_elses_rows() {
    let shop = Shop::new().await;
    let users = shop.seed(3, 30).await;
    let mut seen: Vec<String> = Vec::new();
    for user in &users {
        let cookie = shop.log_in(user).await;
        let page = list(&shop, &cookie, "limit=100").await;
        assert!(page.at("/total").as_u64().unwrap() >= 10);
        let uuids = column(&page, "policy_uuid");
        seen.extend(uuids.iter().map(|uuid| uuid.as_str().unwrap().to_string()));
    }
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count);

    let quote = shop.quote(&two_vehicles()).await;
    for call in [
        shop.get("/api/v2/policy/list"),
        shop.get("/api/v2/policy/list").bearer("nonsense"),
        shop.get("/api/v2/policy/list").bearer(&quote.token),
    ] {
        call.answers(StatusCode::UNAUTHORIZED).await;
    }
}

#[tokio::test]
async fn a_row_is_what_the_quote_became() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    let made = shop
        .create(&two_vehicles())
        .cookies(&cookie)
        .answers(StatusCode::CREATED)
        .await;
    let uuid = made.text("/data/uuid");
    let row = |page: Answer| page.at("/data/0").clone();
    let before = row(list(&shop, &cookie, "").await);
    assert_eq!(before["status_id"], 1);
    assert_eq!(before["holder_name"], "Ann O’Neill");
    assert_eq!(before["date_inception"], "2026-11-25");
    assert!(before["date_quote_expiry"].is_string());
    let read = shop
        .get(&format!("/api/v2/public/quote/read/{uuid}"))
        .header("Cookie", &cookie)
        .send()
        .await;
    assert_eq!(
        &before["amount_total"],
        read.at("/data/info/price/amount_total")
    );

    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    shop.post(&format!("/api/v1/quote/update-accept/{uuid}"), &accept)
        .cookies(&cookie)
        .succeeds()
        .await;
    let frame = shop
        .post("/api/v1/gateway/sandbox/initiate", &json!({ "uuid": uuid }))
        .cookies(&cookie)
        .send()
        .await
        .text("/data/url");
    shop.pay(&frame, "4242 4242 4242 4242").await;
    shop.get(&format!("/api/v1/payment/{uuid}"))
        .cookies(&cookie)
        .succeeds()
        .await;
    let after = row(list(&shop, &cookie, "").await);
    assert_eq!(after["status_id"], 5);
    assert_eq!(after["status_title"], "Live");
    assert_eq!(after["date_expiry"], "2027-11-24");
    assert_eq!(after["date_quote_expiry"], Value::Null);
    assert_eq!(after["amount_total"], before["amount_total"]);
    // A quote has no start of cover. A policy has one, and its page shows the same.
    assert_eq!(before["cover_begins"], Value::Null);
    let policy = shop
        .get(&format!("/api/v2/policy/read/{uuid}"))
        .header("Cookie", &cookie)
        .send()
        .await;
    assert!(after["cover_begins"].is_string());
    assert_eq!(
        &after["cover_begins"],
        policy.at("/data/policy/cover_begins")
    );
}

#[tokio::test]
async fn a_quote_lapses_in_the_list_on_the_minute() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    shop.create(&two_vehicles())
        .cookies(&cookie)
        .answers(StatusCode::CREATED)
        .await;
    // The price holds until the end of its start day in London.
    shop.clock.set("2026-11-25T23:59:59Z".parse().unwrap());
    assert_eq!(list(&shop, &cookie, "").await.at("/data/0/status_id"), 1);
    shop.clock.advance(chrono::TimeDelta::seconds(1));
    let lapsed = list(&shop, &cookie, "quoteStatus[]=32").await;
    assert_eq!(lapsed.at("/data/0/status_title"), "Lapsed");
    assert_eq!(
        list(&shop, &cookie, "quoteStatus[]=1").await.at("/total"),
        0
    );
}

#[tokio::test]
async fn bad_parameters_are_told_apart_and_disclose_nothing() {
    let shop = Shop::new().await;
    let cookie = customer(&shop).await;
    for (query, field) in [
        ("page=-1", "page"),
        ("limit=0", "limit"),
        ("limit=-10", "limit"),
        ("limit=101", "limit"),
        ("sortBy=password_hash", "sortBy"),
        ("flags[]=everything", "flags[]"),
        ("exclude_flags[]=", "exclude_flags[]"),
        (
            "flags[]=renewal_quote&exclude_flags[]=renewal_quote",
            "exclude_flags[]",
        ),
    ] {
        let answer = list(&shop, &cookie, query).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert_eq!(answer.fields(), [field], "{query}");
    }
    for query in [
        "page=first",
        "page=1.5",
        "limit=99999999999999999999999",
        "desc=perhaps",
        "quoteStatus[]=live",
        "quoteStatus[]=-1",
    ] {
        let answer = list(&shop, &cookie, query).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.text("/code"), "malformed");
    }
    // Unusual queries with valid responses: repeated and empty parameters, and unknown statuses.
    let many = "quoteStatus[]=1&".repeat(500);
    for query in [
        many.as_str(),
        "quoteStatus[]=4711",
        "policyHolder=%00%F0%9F%9A%97",
        "policyHolder=&policyID=&productID=&sortBy=",
        "policyID=%25%27%22%3Cscript%3E",
        "unknown=1",
    ] {
        list(&shop, &cookie, query).await.expect(StatusCode::OK);
    }
}

#[tokio::test]
async fn a_row_names_what_is_covered() {
    let shop = Shop::new().await;
    let (user, cookie) = shop.customer().await;
    let mut product = two_vehicles();
    product["values"]["email_primary"] = json!(user);
    product["multi"]["vehicles"][0]["vehicle_registration"] = json!("ab12 cde");
    shop.create(&product)
        .cookies(&cookie)
        .answers(StatusCode::CREATED)
        .await;
    let page = list(&shop, &cookie, "page=0").await;
    let cover = page.at("/data/0/cover").as_array().unwrap();
    assert!(
        cover[0].as_str().unwrap().starts_with("AB12 CDE"),
        "{cover:?}"
    );
    assert_eq!(cover[1..], [json!("National cover")]);
}
