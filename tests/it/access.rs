//! Every call times every caller: the answer for what isn't yours is the answer for what
//! doesn't exist.

use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Answer, Call, Shop, two_vehicles};

/// Who calls.
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
    shop.get("/api/logout")
        .header("Cookie", &ended)
        .send()
        .await
        .expect(StatusCode::OK);
    let other = shop.quote(&two_vehicles()).await;

    // In the order of EVERYBODY.
    let table: [(&str, [u16; 6]); 7] = [
        (
            "GET /api/v2/public/quote/read/{}",
            [401, 401, 404, 200, 404, 401],
        ),
        (
            "GET /api/v2/openapi/quote/read/{}",
            [401, 401, 404, 200, 404, 401],
        ),
        ("PUT /api/v1/quote/{}", [401, 401, 404, 200, 404, 401]),
        (
            "POST /api/v2/public/quote/update/{}",
            [401, 401, 404, 200, 404, 401],
        ),
        (
            "POST /api/v1/quote/update-accept/{}",
            [401, 401, 404, 200, 404, 401],
        ),
        ("GET /api/v2/policy/read/{}", [401, 401, 404, 404, 404, 401]),
        ("GET /api/v1/payment/{}", [401, 401, 404, 404, 404, 401]),
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
                Who::OtherUser => call.cookies(&cookie).send().await,
                Who::Ended => call.cookies(&ended).send().await,
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
                // Somebody else's and nobody's can't be told apart.
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
    let logins = shop.seed(1, 0).await;
    let cookie = shop.log_in(&logins[0]).await;
    let create = || {
        shop.post(
            "/api/v2/public/quote/breakdown",
            &json!({ "product": two_vehicles() }),
        )
        .header("Cookie", &cookie)
    };
    create()
        .header("Origin", "https://evil.example")
        .send()
        .await
        .expect(StatusCode::FORBIDDEN);
    create().send().await.expect(StatusCode::FORBIDDEN);
    create()
        .header("Origin", crate::support::ORIGIN)
        .send()
        .await
        .expect(StatusCode::CREATED);
    shop.get("/api/logout")
        .header("Cookie", &cookie)
        .header("Sec-Fetch-Site", "cross-site")
        .send()
        .await
        .expect(StatusCode::FORBIDDEN);
    // Still logged in.
    let profile = shop
        .get("/api/v1/profile")
        .header("Cookie", &cookie)
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(profile.text("/email_primary"), logins[0]);
}

#[tokio::test]
async fn an_owner_reads_on_when_the_tab_still_shows_an_old_token() {
    let shop = Shop::new().await;
    let logins = shop.seed(1, 0).await;
    let cookie = shop.log_in(&logins[0]).await;
    let create = shop.post(
        "/api/v2/public/quote/breakdown",
        &json!({ "product": two_vehicles() }),
    );
    let made = create
        .cookies(&cookie)
        .send()
        .await
        .expect(StatusCode::CREATED);
    shop.clock.advance(chrono::TimeDelta::days(31));
    let cookie = shop.log_in(&logins[0]).await;
    let read = || {
        shop.get(&format!(
            "/api/v2/public/quote/read/{}",
            made.text("/data/uuid")
        ))
        .bearer(&made.text("/data/consumer_token"))
    };
    read().send().await.expect(StatusCode::UNAUTHORIZED);
    read()
        .header("Cookie", &cookie)
        .send()
        .await
        .expect(StatusCode::OK);
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
            .send()
            .await
            .expect(StatusCode::UNPROCESSABLE_ENTITY);
        answers.push(answer.body);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}
