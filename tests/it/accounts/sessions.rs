//! The number of sessions of a user, and how the user lists and ends them.

use chrono::TimeDelta;
use layby::app::accounts;
use layby::store::{Direction, WriteTx, tables};
use poem::http::StatusCode;
use serde_json::json;

use super::{DEMO, try_log_in};
use crate::support::stores::{put_stray, snapshot};
use crate::support::{Shop, two_vehicles};

#[tokio::test]
async fn the_oldest_of_fifty_log_ins_ends_with_the_next() {
    let shop = Shop::new().await;
    let (ann, first) = shop.customer().await;
    let mut newest = first.clone();
    for _ in 0..49 {
        shop.clock.advance(chrono::TimeDelta::seconds(1));
        newest = shop.log_in(&ann).await;
    }
    assert_eq!(shop.profile(&first).await.status, StatusCode::OK);
    shop.log_in(&ann).await;
    assert_eq!(shop.profile(&first).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(shop.profile(&newest).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_quotes_token_beside_it_keeps_no_log_in_open() {
    let shop = Shop::new().await;
    let ann = shop.seed(1, 0).await.remove(0);
    let quote = shop.quote(&two_vehicles()).await;
    let session = shop.log_in(&ann).await;
    shop.get("/api/logout")
        .cookies(&session)
        .bearer(&quote.token)
        .succeeds()
        .await;
    assert_eq!(
        shop.profile(&session).await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn an_index_row_of_something_that_has_ended_and_is_gone_is_removed() {
    let shop = Shop::new().await;
    let ended = shop.clock.now() - chrono::TimeDelta::days(1);
    let leave = move |tx: &mut WriteTx<'_>| {
        put_stray(tx, &tables::LINK_BY_END, &(ended, [1; 32]))?;
        put_stray(tx, &tables::SESSION_BY_END, &(ended, [1; 32]))
    };
    shop.app.store.write(leave).await.unwrap();
    accounts::delete_ended_sessions(&shop.app.store, &shop.app.clock)
        .await
        .unwrap();
    let tx = snapshot(&shop.app.store);
    for index in [tables::LINK_BY_END, tables::SESSION_BY_END] {
        let rows = index.list(&tx, &(), Direction::Forward, 10).unwrap();
        assert_eq!(rows, []);
    }
}

#[tokio::test]
async fn over_https_the_cookie_is_this_hosts_alone() {
    let shop = Shop::configured("[server]\npublic_url = \"https://cover.example.org\"\n").await;
    let ann = &shop.seed(2, 0).await[0];
    let login = try_log_in(&shop, ann, DEMO).await.expect(StatusCode::OK);
    let line = login.cookie_line("__Host-layby_session");
    // Browsers require these attributes of a `__Host-` cookie.
    assert!(
        line.contains("; Path=/;") || line.ends_with("; Path=/"),
        "{line}"
    );
    assert!(
        line.contains("Secure") && !line.contains("Domain"),
        "{line}"
    );
    let device = login.cookie_line("__Secure-layby_device");
    assert!(
        device.contains("Secure") && device.contains("Path=/api/login"),
        "{device}"
    );
    let cookie = login.cookie("__Host-layby_session");
    shop.profile(&cookie).await.expect(StatusCode::OK);
    // A neighbouring host may have planted the cookie without the prefix.
    let planted = cookie.replace("__Host-", "");
    shop.profile(&planted)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    let line = shop
        .get("/api/logout")
        .header("Cookie", &cookie)
        .succeeds()
        .await
        .cookie_line("__Host-layby_session");
    assert!(
        line.contains("Max-Age=0") && line.contains("Secure"),
        "{line}"
    );
    shop.profile(&cookie).await.expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_word_before_a_token_may_be_written_in_any_case() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_vehicles()).await;
    let path = format!("/api/v2/public/quote/read/{}", quote.uuid);
    for (word, status) in [
        ("Bearer", 200),
        ("bearer", 200),
        ("BEARER ", 200),
        ("Basic", 401),
        ("Bearerer", 401),
    ] {
        let said = format!("{word} {}", quote.token);
        let answer = shop.get(&path).header("Authorization", &said).send().await;
        assert_eq!(answer.status, status, "{word}");
    }
    let bare = shop.get(&path).header("Authorization", &quote.token);
    bare.answers(StatusCode::UNAUTHORIZED).await;
}

#[tokio::test]
async fn a_customer_sees_their_log_ins_and_ends_all_but_the_one_that_asks() {
    let shop = Shop::new().await;
    let [ann, bob] = &shop.seed(2, 0).await[..] else {
        panic!("two customers");
    };
    let [old, there] = [shop.log_in(ann).await, shop.log_in(ann).await];
    let bobs = shop.log_in(bob).await;
    shop.clock.advance(TimeDelta::days(29));
    let here = shop.log_in(ann).await;
    let listed = |cookie: &str| shop.get("/api/v1/profile/sessions").cookies(cookie).send();
    let list = listed(&here).await.expect(StatusCode::OK);
    let own = |list: &crate::support::Answer| -> Vec<bool> {
        let rows = list.body["data"].as_array().unwrap().iter();
        rows.map(|row| row["own"].as_bool().unwrap()).collect()
    };
    assert_eq!(own(&list), [true, false, false]);
    assert!(
        list.text("/data/0/began")
            .starts_with("2026-12-20T12:00:00")
    );
    assert!(list.text("/data/0/ends").starts_with("2027-01-19T12:00:00"));
    assert_eq!(own(&listed(&bobs).await), [true]);

    let end = |cookie: &str| {
        let call = shop.post("/api/v1/profile/sessions/end", &json!({}));
        call.cookies(cookie).send()
    };
    end(&here).await.expect(StatusCode::OK);
    for (cookie, status) in [
        (&old, StatusCode::UNAUTHORIZED),
        (&there, StatusCode::UNAUTHORIZED),
        (&here, StatusCode::OK),
        (&bobs, StatusCode::OK),
    ] {
        shop.profile(cookie).await.expect(status);
    }
    end(&old).await.expect(StatusCode::UNAUTHORIZED);

    // The list omits expired sessions before the sweep removes them.
    let short = try_log_in(&shop, ann, DEMO).await.cookie("layby_session");
    assert_eq!(own(&listed(&here).await).len(), 2);
    shop.clock.advance(TimeDelta::hours(13));
    assert_eq!(own(&listed(&here).await), [true]);
    listed(&short).await.expect(StatusCode::UNAUTHORIZED);
}
