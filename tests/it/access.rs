//! Every call by every caller. A resource of another owner gets the same response as one that does not exist.

use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Answer, Call, Shop, two_vehicles};

#[derive(Clone, Copy, Debug)]
enum Who {
    Nobody,
    Stranger,
    OtherVisitor,
    Visitor,
    OtherUser,
    Ended,
}

const EVERYBODY: [Who; 6] = [
    Who::Nobody,
    Who::Stranger,
    Who::OtherVisitor,
    Who::Visitor,
    Who::OtherUser,
    Who::Ended,
];

#[tokio::test]
async fn each_call_answers_each_caller_as_the_table_says() {
    let shop = Shop::new().await;
    let logins = shop.seed(2, 0).await;
    let cookie = shop.log_in(&logins[0]).await;
    let ended = shop.log_in(&logins[1]).await;
    shop.log_out(&ended).await;
    let other = shop.quote(&two_vehicles()).await;

    // In the order of EVERYBODY.
    const QUOTE: [u16; 6] = [401, 401, 404, 200, 404, 401];
    const POLICY: [u16; 6] = [401, 401, 404, 404, 404, 401];
    let table = [
        ("GET /api/v2/public/quote/read/{}", QUOTE),
        ("GET /api/v2/openapi/quote/read/{}", QUOTE),
        ("PUT /api/v1/quote/{}", QUOTE),
        ("POST /api/v2/public/quote/update/{}", QUOTE),
        ("POST /api/v1/quote/update-accept/{}", QUOTE),
        ("GET /api/v2/policy/read/{}", POLICY),
        ("GET /api/v2/quote/documents/{}", QUOTE),
        ("GET /api/v1/policy/{}/documents", POLICY),
        ("GET /api/v1/payment/{}", POLICY),
    ];
    let answer_to = |call: &'static str, id: String, token: String, who: Who| {
        let (shop, cookie, ended, other) = (&shop, &cookie, &ended, &other);
        async move {
            let (method, path) = call.split_once(' ').unwrap();
            let path = path.replace("{}", &id);
            let body = match path.as_str() {
                p if p.contains("accept") => json!({ "terms_and_conditions": true }),
                _ => json!({ "product": two_vehicles() }),
            };
            let call: Call = match method {
                "GET" => shop.get(&path),
                "PUT" => shop.put(&path, &body),
                _ => shop.post(&path, &body),
            };
            let answer: Answer = match who {
                Who::Nobody => call.send().await,
                Who::Stranger => call.bearer("nonsense").send().await,
                Who::OtherVisitor => call.bearer(&other.token).send().await,
                Who::Visitor => call.bearer(&token).send().await,
                Who::OtherUser => call.cookies(cookie).send().await,
                Who::Ended => call.cookies(ended).send().await,
            };
            answer
        }
    };
    for (call, expected) in table {
        for (who, status) in EVERYBODY.into_iter().zip(expected) {
            let quote = shop.quote(&two_vehicles()).await;
            let answer = answer_to(call, quote.uuid.clone(), quote.token.clone(), who).await;
            if status == 401 {
                assert_eq!(
                    answer.text("/message"),
                    "Unauthorised, please login before trying again."
                );
            }
            assert_eq!(
                answer.status.as_u16(),
                status,
                "{call} as {who:?}: {:#}",
                answer.body
            );
            if matches!(who, Who::OtherVisitor | Who::OtherUser) {
                // The response must not reveal whether the quote exists.
                let nowhere = uuid::Uuid::from_u128(5).to_string();
                let missing = answer_to(call, nowhere, quote.token, who).await;
                assert_eq!(missing.status, answer.status, "{call}");
                assert_eq!(missing.body, answer.body, "{call}");
            }
        }
    }
}

#[tokio::test]
async fn a_page_of_another_site_cannot_act_for_a_logged_in_visitor() {
    let shop = Shop::new().await;
    let (user, cookie) = shop.customer().await;
    let create = || shop.create(&two_vehicles()).header("Cookie", &cookie);
    create()
        .header("Origin", "https://evil.example")
        .answers(StatusCode::FORBIDDEN)
        .await;
    create().answers(StatusCode::FORBIDDEN).await;
    create()
        .header("Origin", crate::support::ORIGIN)
        .answers(StatusCode::CREATED)
        .await;
    shop.get("/api/logout")
        .header("Cookie", &cookie)
        .header("Sec-Fetch-Site", "cross-site")
        .answers(StatusCode::FORBIDDEN)
        .await;
    // The log-in stays valid.
    let profile = shop.profile(&cookie).await.expect(StatusCode::OK);
    assert_eq!(profile.text("/email_primary"), user);
}

#[tokio::test]
async fn an_owner_reads_on_when_the_tab_still_shows_an_old_token() {
    let shop = Shop::new().await;
    let (user, cookie) = shop.customer().await;
    let create = shop.create(&two_vehicles());
    let made = create.cookies(&cookie).answers(StatusCode::CREATED).await;
    shop.clock.advance(chrono::TimeDelta::days(31));
    let cookie = shop.log_in(&user).await;
    let read = || {
        shop.get(&format!(
            "/api/v2/public/quote/read/{}",
            made.text("/data/uuid")
        ))
        .bearer(&made.text("/data/consumer_token"))
    };
    read().answers(StatusCode::UNAUTHORIZED).await;
    read().header("Cookie", &cookie).succeeds().await;
}

#[tokio::test]
async fn a_wrong_login_is_one_answer_for_known_and_unknown_users() {
    let shop = Shop::new().await;
    let logins = shop.seed(1, 0).await;
    let mut answers = Vec::new();
    let long = "x".repeat(10_000);
    for (username, password) in [
        (logins[0].as_str(), "wrong"),
        ("nobody@example.org", "wrong"),
        (logins[0].as_str(), ""),
        (logins[0].as_str(), long.as_str()),
        ("", ""),
    ] {
        let answer = shop
            .post(
                "/api/login",
                &json!({ "username": username, "password": password }),
            )
            .answers(StatusCode::UNPROCESSABLE_ENTITY)
            .await;
        answers.push(answer.body);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Checks the response of each account call for each caller. A quote's token gives no access to an account.
#[tokio::test]
async fn each_account_call_answers_each_caller_as_the_table_says() {
    let shop = Shop::new().await;
    let logins = shop.seed(2, 0).await;
    let quote = shop.quote(&two_vehicles()).await;
    let (home, ended) = (shop.log_in(&logins[0]).await, shop.log_in(&logins[1]).await);
    shop.log_out(&ended).await;
    let weak = json!({ "password": "x", "new_password": "x", "new_password_repeat": "x" });
    let lost = json!({ "username": "nobody@example.org" });
    let spent = json!({ "secret": "spent", "password": "x", "password_rpt": "x" });
    let none = json!({});

    let adopt = "POST /api/v1/quote/00000000-0000-0000-0000-000000000005/adopt";

    // The callers: anonymous, an invalid token, a quote's visitor, the user, an ended session.
    let user_only = |status: u16| [401, 401, 401, status, 401];
    let table = [
        ("GET /api/v1/profile", &none, [401, 401, 200, 200, 401]),
        ("PUT /api/v1/profile", &none, user_only(200)),
        ("PUT /api/v1/profile/password", &weak, user_only(422)),
        ("GET /api/v2/policy/list", &none, user_only(200)),
        ("POST /api/v1/profile/email", &spent, user_only(404)),
        ("GET /api/v1/profile/sessions", &none, user_only(200)),
        ("POST /api/v1/profile/sessions/end", &none, user_only(200)),
        ("GET /api/v1/password/spent/info", &none, [404; 5]),
        ("POST /api/v1/password/spent/reset", &spent, [404; 5]),
        ("POST /api/v1/retrieve-password", &spent, [422; 5]),
        ("POST /api/v1/retrieve-password-request", &lost, [200; 5]),
        ("POST /api/v1/quote/resume", &spent, [404; 5]),
        (adopt, &none, [401, 401, 404, 404, 401]),
    ];
    for (call, body, expected) in table {
        let (method, path) = call.split_once(' ').unwrap();
        for (who, status) in expected.into_iter().enumerate() {
            // Wrong links are throttled. An hour resets the count.
            shop.clock.advance(chrono::TimeDelta::minutes(5));
            let call = match method {
                "GET" => shop.get(path),
                "PUT" => shop.put(path, body),
                _ => shop.post(path, body),
            };
            let answer = match who {
                0 => call.send().await,
                1 => call.bearer("nonsense").send().await,
                2 => call.bearer(&quote.token).send().await,
                3 => call.cookies(&home).send().await,
                _ => call.cookies(&ended).send().await,
            };
            assert_eq!(
                answer.status.as_u16(),
                status,
                "{method} {path} as {who}: {:#}",
                answer.body
            );
        }
    }
}

#[tokio::test]
async fn an_owner_does_with_a_quote_what_its_visitor_may() {
    let shop = Shop::new().await;
    let (_, cookie) = shop.customer().await;
    let made = shop
        .create(&two_vehicles())
        .cookies(&cookie)
        .answers(StatusCode::CREATED)
        .await;
    let uuid = made.text("/data/uuid");
    let update = json!({ "product": two_vehicles() });
    let accept = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    for call in [
        shop.get(&format!("/api/v2/public/quote/read/{uuid}")),
        shop.get(&format!("/api/v2/openapi/quote/read/{uuid}")),
        shop.put(&format!("/api/v1/quote/{uuid}"), &update),
        shop.post(&format!("/api/v2/public/quote/update/{uuid}"), &update),
        shop.post(&format!("/api/v1/quote/update-accept/{uuid}"), &accept),
        shop.post("/api/v1/gateway/sandbox/initiate", &json!({ "uuid": uuid })),
        shop.get(&format!("/api/v1/payment/{uuid}")),
    ] {
        call.cookies(&cookie).succeeds().await;
    }
}
