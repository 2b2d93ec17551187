//! A quote needs one telephone number. Each of the two fields can have this number.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Shop, two_vehicles};

async fn save(shop: &Shop, telephones: &Value) -> Answer {
    let mut product = two_vehicles();
    let values = product["values"].as_object_mut().unwrap();
    values.remove("tel_primary");
    values.extend(telephones.as_object().unwrap().clone());
    shop.create(&product).send().await
}

#[tokio::test]
async fn either_telephone_will_do_and_none_will_not() {
    let shop = Shop::new().await;
    for one in [
        json!({ "gsm_primary": "07400 123456" }),
        json!({ "gsm_primary": "020 7946 0018" }),
        json!({ "tel_primary": "020 7946 0018" }),
    ] {
        save(&shop, &one).await.expect(StatusCode::CREATED);
    }
    let none = save(&shop, &json!({})).await;
    let none = none.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        none.body["errors"]["gsm_primary"][0],
        "Enter a telephone number we can call"
    );
    assert_eq!(none.body["errors"].as_object().unwrap().len(), 1);
}

#[tokio::test]
async fn a_mobile_that_is_a_digit_short_is_refused() {
    let shop = Shop::new().await;
    let short = save(&shop, &json!({ "gsm_primary": "07400 12345" })).await;
    let short = short.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        short.body["errors"]["gsm_primary"][0],
        "Enter a telephone number with all its digits, such as 07400 123456"
    );
    let abroad = save(&shop, &json!({ "gsm_primary": "+353 85 012 3456" })).await;
    abroad.expect(StatusCode::CREATED);
}
