//! A customer changes their password and their details.

use poem::http::StatusCode;
use serde_json::{Value, json};

use super::{DEMO, NEW, edit, try_log_in};
use crate::support::Shop;

#[tokio::test]
async fn changing_the_password_asks_for_the_old_one_and_ends_every_session() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let (here, there) = (shop.log_in(ann).await, shop.log_in(ann).await);
    let change = |old: &str, new: &str, repeat: &str| {
        let body = json!({ "password": old, "new_password": new, "new_password_repeat": repeat });
        let call = shop.put("/api/v1/profile/password", &body).cookies(&here);
        async move { call.send().await }
    };
    for (old, new, repeat, text) in [
        ("", NEW, NEW, "Required."),
        (DEMO, "", "", "Required."),
        (DEMO, NEW, "Quite-new-8", "Passwords don't match"),
        (
            "Wrong-pass-1",
            NEW,
            NEW,
            "The current password is not right.",
        ),
        (
            DEMO,
            "short",
            "short",
            "Password must contain an uppercase character, a lowercase character, a number, a \
             special symbol and needs to be between 8 and 20 characters long",
        ),
    ] {
        let answer = change(old, new, repeat).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(answer.text("/errors/password/0"), text);
    }
    shop.profile(&there).await.expect(StatusCode::OK);
    let done = change(DEMO, NEW, NEW).await.expect(StatusCode::OK);
    assert_eq!(done.body, json!({ "data": {} }));
    assert!(done.cookie_line("layby_session").contains("Max-Age=0"));
    for session in [&here, &there] {
        shop.profile(session).await.expect(StatusCode::UNAUTHORIZED);
    }
    try_log_in(&shop, ann, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn details_are_changed_whole_or_not_at_all() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    let before = shop.profile(&cookie).await;
    let refused = edit(
        &shop,
        &cookie,
        &json!({ "first_name": "Zoë", "last_name": " ", "postcode_primary": "nowhere" }),
    )
    .await
    .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["last_name", "postcode_primary"]);
    assert_eq!(shop.profile(&cookie).await.body, before.body);

    let changed = edit(
        &shop,
        &cookie,
        &json!({
            "first_name": "Zoë", "fax_primary": "020 7946 0018", "country_id": 826,
            "middle_name": "", "marketing_contact": true, "title_id": 6,
        }),
    )
    .await
    .expect(StatusCode::OK);
    let read = shop.profile(&cookie).await;
    assert_eq!(changed.body, read.body);
    assert_eq!(read.at("/first_name"), "Zoë");
    assert_eq!(read.at("/fax_primary"), "+442079460018");
    assert_eq!(read.at("/last_name"), before.at("/last_name"));
    assert_eq!(read.at("/marketing_contact"), true);
    assert_eq!(read.at("/middle_name"), &Value::Null);
    // A customer can withdraw the consent to marketing.
    edit(&shop, &cookie, &json!({ "marketing_contact": false })).await;
    assert_eq!(shop.profile(&cookie).await.at("/marketing_contact"), false);
}

#[tokio::test]
async fn titles_and_countries_come_from_the_list_that_the_site_shows() {
    let shop = Shop::new().await;
    let site = shop.get("/api/v1/site").send().await;
    assert_eq!(site.at("/data/countries/0/title"), "United Kingdom");
    let product = shop.get("/api/v2/openapi/product/breakdown").send().await;
    let datasets = product.at("/form/datasets").as_array().unwrap();
    let titles = datasets
        .iter()
        .flat_map(|dataset| dataset["fields"].as_array().unwrap())
        .find(|field| field["name"] == "title")
        .unwrap();
    let of_form: Vec<_> = titles["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| (option["value"].clone(), option["label"].clone()))
        .collect();
    let of_site: Vec<_> = site
        .at("/data/titles")
        .as_array()
        .unwrap()
        .iter()
        .map(|title| (title["id"].clone(), title["title"].clone()))
        .collect();
    assert_eq!(of_form, of_site, "a profile and a form number titles alike");
}
