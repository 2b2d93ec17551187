//! Accounts: logging in, forgetting the password, changing it, changing details.

mod sessions;

use chrono::TimeDelta;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Letter, ORIGIN, Shop, two_vehicles};

const DEMO: &str = "Layby-demo-2026";
const NEW: &str = "Quite-new-7";

async fn try_log_in(shop: &Shop, username: &str, password: &str) -> Answer {
    shop.post(
        "/api/login",
        &json!({ "username": username, "password": password, "remember": false }),
    )
    .send()
    .await
}

async fn profile(shop: &Shop, cookie: &str) -> Answer {
    shop.get("/api/v1/profile")
        .header("Cookie", cookie)
        .send()
        .await
}

async fn forget(shop: &Shop, username: &str) -> Answer {
    shop.post(
        "/api/v1/retrieve-password-request",
        &json!({ "username": username }),
    )
    .send()
    .await
}

async fn reset(shop: &Shop, aid: &str, password: &str) -> Answer {
    shop.post(
        &format!("/api/v1/password/{aid}/reset"),
        &json!({ "issue": 0, "password": password, "password_rpt": password }),
    )
    .send()
    .await
}

/// Has a link mailed and reads it out of the newest letter.
async fn mailed_aid(shop: &Shop, username: &str) -> String {
    forget(shop, username).await.expect(StatusCode::OK);
    shop.work().await;
    let letters = shop.letters();
    let is_theirs =
        |letter: &&Letter| letter.to == username && letter.text.contains("/reset-password?aid=");
    let newest = letters.iter().rev().find(is_theirs);
    newest.unwrap().link("/reset-password?aid=")
}

#[tokio::test]
async fn remember_decides_how_long_a_log_in_lasts() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let short = try_log_in(&shop, ann, DEMO).await.expect(StatusCode::OK);
    let line = short.cookie_line("layby_session");
    assert!(
        line.contains("HttpOnly") && line.contains("SameSite=Lax") && !line.contains("Max-Age"),
        "{line}"
    );
    assert!(
        short.body.get("token").is_none(),
        "the website gets no token"
    );
    let short = short.cookie("layby_session");
    let long = shop.log_in(ann).await;

    shop.clock.advance(TimeDelta::hours(11));
    profile(&shop, &short).await.expect(StatusCode::OK);
    shop.clock.advance(TimeDelta::hours(2));
    profile(&shop, &short)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    profile(&shop, &long).await.expect(StatusCode::OK);
    shop.clock.advance(TimeDelta::days(30));
    profile(&shop, &long).await.expect(StatusCode::UNAUTHORIZED);

    // What no longer counts is swept out; what does stays.
    let home = shop.log_in(ann).await;
    let sessions = || {
        use layby::store::{Direction, tables};
        let tx = shop.app.store.read().unwrap();
        let rows = tables::SESSIONS.list(&tx, &(), Direction::Forward, 100);
        rows.unwrap().len()
    };
    assert_eq!(sessions(), 3);
    shop.app.forget_ended().await.unwrap();
    assert_eq!(sessions(), 1);
    profile(&shop, &home).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_program_that_is_no_browser_asks_for_a_token() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let answer = shop
        .post(
            "/api/login",
            &json!({ "username": ann, "password": DEMO, "token": true }),
        )
        .send()
        .await
        .expect(StatusCode::OK);
    assert!(answer.headers.get("set-cookie").is_none());
    let token = answer.text("/token");
    let read = shop.get("/api/v1/profile").bearer(&token).send().await;
    assert_eq!(read.expect(StatusCode::OK).text("/user_username"), *ann);
}

#[tokio::test]
async fn logging_in_again_ends_the_session_the_browser_had() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let first = shop.log_in(ann).await;
    let again = shop
        .post(
            "/api/login",
            &json!({ "username": ann, "password": DEMO, "remember": true }),
        )
        .cookies(&first)
        .send()
        .await
        .expect(StatusCode::OK)
        .cookie("layby_session");
    assert_ne!(first, again);
    profile(&shop, &first)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    profile(&shop, &again).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_user_are_answered_alike_after_one_check_each() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let before = shop.app.passwords.verifications();
    let known = try_log_in(&shop, ann, "Wrong-pass-1").await;
    assert_eq!(shop.app.passwords.verifications(), before + 1);
    let unknown = try_log_in(&shop, "nobody@example.org", "Wrong-pass-1").await;
    assert_eq!(shop.app.passwords.verifications(), before + 2);
    assert_eq!(known.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(known.status, unknown.status);
    assert_eq!(known.body, unknown.body);
}

#[tokio::test]
async fn empty_and_endless_passwords_are_refused_without_any_work() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let before = shop.app.passwords.verifications();
    for password in [String::new(), "Aa1!".repeat(2600)] {
        try_log_in(&shop, ann, &password)
            .await
            .expect(StatusCode::UNPROCESSABLE_ENTITY);
    }
    try_log_in(&shop, "", DEMO)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(shop.app.passwords.verifications(), before);
}

#[tokio::test]
async fn ten_wrong_log_ins_in_a_row_have_to_wait_and_the_owner_at_home_does_not() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let home = try_log_in(&shop, ann, DEMO).await.expect(StatusCode::OK);
    let device = home.cookie_line("layby_device");
    assert!(
        device.contains("HttpOnly") && device.contains("Path=/api/login"),
        "{device}"
    );
    let device = home.cookie("layby_device");

    let mut refused = 0;
    for _ in 0..10 {
        let answer = try_log_in(&shop, ann, "Wrong-pass-1").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            refused += 1;
            let wait: u64 = answer.headers["retry-after"]
                .to_str()
                .unwrap()
                .parse()
                .unwrap();
            assert!((1..=900).contains(&wait));
        } else {
            assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        }
    }
    assert_eq!(refused, 5, "five are free");
    // The right password from a strange browser waits too: else it could be told apart.
    try_log_in(&shop, ann, DEMO)
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    // A browser that has logged in before doesn't.
    shop.post(
        "/api/login",
        &json!({ "username": ann, "password": DEMO, "remember": false }),
    )
    .cookies(&device)
    .send()
    .await
    .expect(StatusCode::OK);
    // Nor does it help with another user.
    let bob = &shop.seed(2, 0).await[1];
    for _ in 0..5 {
        try_log_in(&shop, bob, "Wrong-pass-1").await;
    }
    shop.post("/api/login", &json!({ "username": bob, "password": DEMO }))
        .cookies(&device)
        .send()
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    // The wait ends by itself.
    shop.clock.advance(TimeDelta::seconds(2));
    try_log_in(&shop, ann, DEMO).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_old_hash_is_made_anew_when_its_owner_logs_in() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let hash_of = || {
        let tx = shop.app.store.read().unwrap();
        let uuid = layby::store::tables::USER_BY_NAME.get(&tx, ann).unwrap();
        let user = layby::store::tables::USERS.get(&tx, &uuid.unwrap());
        user.unwrap().unwrap().password_hash.unwrap()
    };
    let weak = argon2::Argon2::new(
        argon2::Algorithm::Argon2id,
        argon2::Version::V0x13,
        argon2::Params::new(64, 1, 1, None).unwrap(),
    );
    let weak = argon2::PasswordHasher::hash_password(&weak, DEMO.as_bytes()).unwrap();
    let (name, weak) = (ann.clone(), weak.to_string());
    let kept = weak.clone();
    shop.app
        .store
        .write(move |tx| {
            use layby::store::tables::{USER_BY_NAME, USERS};
            let uuid = USER_BY_NAME.get(tx, &name)?.unwrap();
            let mut user = USERS.get(tx, &uuid)?.unwrap();
            user.password_hash = Some(kept.clone());
            USERS.put(tx, &uuid, &user)
        })
        .await
        .unwrap();
    try_log_in(&shop, ann, "Wrong-pass-1").await;
    assert_eq!(hash_of(), weak);
    shop.log_in(ann).await;
    assert!(hash_of().contains("m=19456,t=2,p=1"), "{}", hash_of());
    shop.log_in(ann).await;
}

#[tokio::test]
async fn a_forgotten_password_is_set_by_a_mailed_link_that_works_once() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let cookie = shop.log_in(ann).await;
    let aid = mailed_aid(&shop, ann).await;
    let letter = shop.letters().pop().unwrap();
    assert_eq!(letter.to, *ann);
    assert!(
        letter
            .text
            .contains(&format!("{ORIGIN}/reset-password?aid="))
    );

    let info = shop
        .get(&format!("/api/v1/password/{aid}/info"))
        .send()
        .await
        .expect(StatusCode::OK);
    let known = profile(&shop, &cookie).await;
    for field in ["email_primary", "first_name", "last_name", "user_username"] {
        assert_eq!(info.body["data"][field], known.body[field], "{field}");
    }

    let weak = reset(&shop, &aid, "short").await;
    assert_eq!(weak.fields(), ["password"]);
    assert_eq!(
        weak.text("/errors/password/0"),
        "Password must contain an uppercase character, a lowercase character, a number, a \
         special symbol and needs to be between 8 and 20 characters long"
    );
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    // Spent, every session is over, and the new password counts.
    reset(&shop, &aid, NEW).await.expect(StatusCode::NOT_FOUND);
    shop.get(&format!("/api/v1/password/{aid}/info"))
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
    profile(&shop, &cookie)
        .await
        .expect(StatusCode::UNAUTHORIZED);
    try_log_in(&shop, ann, DEMO)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    try_log_in(&shop, ann, NEW).await.expect(StatusCode::OK);
    shop.work().await;
    let notice = shop.letters().pop().unwrap();
    assert_eq!(notice.to, *ann);
    assert!(
        notice.subject.to_lowercase().contains("password"),
        "{notice:?}"
    );
}

#[tokio::test]
async fn a_reset_link_lives_an_hour() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let aid = mailed_aid(&shop, ann).await;
    shop.clock.advance(TimeDelta::minutes(61));
    reset(&shop, &aid, NEW).await.expect(StatusCode::NOT_FOUND);
    let fresh = mailed_aid(&shop, ann).await;
    reset(&shop, &fresh, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn tampered_and_other_peoples_links_open_nothing() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let aid = mailed_aid(&shop, &users[0]).await;
    let mut tampered = aid.clone();
    tampered.pop();
    tampered.push(if aid.ends_with('A') { 'E' } else { 'A' });
    for wrong in [tampered.as_str(), "x", "..%2f..", &"a".repeat(3000)] {
        let answer = shop
            .get(&format!("/api/v1/password/{wrong}/info"))
            .send()
            .await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{wrong}");
    }
    // The page that asks for the user name: the link is another user's.
    let retrieve = |username: String| {
        let body = json!({
            "hash": aid, "password": NEW, "password_rpt": NEW, "username": username,
        });
        let shop = &shop;
        async move { shop.post("/api/v1/retrieve-password", &body).send().await }
    };
    let answer = retrieve(users[1].clone())
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        answer.text("/message"),
        "Please check form data and try again."
    );
    // An identifier that isn't this link's.
    shop.post(
        &format!("/api/v1/password/{aid}/reset"),
        &json!({ "password": NEW, "password_rpt": NEW, "identifier": "somebody else" }),
    )
    .send()
    .await
    .expect(StatusCode::NOT_FOUND);
    retrieve(users[0].to_uppercase())
        .await
        .expect(StatusCode::OK);
    try_log_in(&shop, &users[0], NEW)
        .await
        .expect(StatusCode::OK);
}

#[tokio::test]
async fn asking_for_a_link_says_nothing_of_who_has_an_account() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let known = forget(&shop, ann).await.expect(StatusCode::OK);
    let unknown = forget(&shop, "nobody@example.org")
        .await
        .expect(StatusCode::OK);
    assert_eq!(known.body, unknown.body);
    shop.work().await;
    assert_eq!(shop.letters().len(), 1);
    for malformed in ["", "ann", "ann@", "@x.org", "a b@example.org"] {
        let answer = forget(&shop, malformed).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(answer.fields(), ["username"], "{malformed}");
    }
}

#[tokio::test]
async fn asking_often_sends_few_letters_and_takes_nothing_from_the_owner() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let mut refused = 0;
    for _ in 0..12 {
        refused += u32::from(forget(&shop, ann).await.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 1, "one address asks ten times freely");
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 5);
    // Each of the links still works.
    let aid = letters[0].link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    // And then none of the others.
    let other = letters[1].link("/reset-password?aid=");
    reset(&shop, &other, NEW)
        .await
        .expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_link_is_built_from_our_own_address_whatever_the_request_says() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    shop.post(
        "/api/v1/retrieve-password-request",
        &json!({ "username": ann }),
    )
    .header("Host", "evil.example")
    .header("X-Forwarded-Host", "evil.example")
    .header("Forwarded", "host=evil.example")
    .send()
    .await
    .expect(StatusCode::OK);
    shop.work().await;
    let letter = shop.letters().pop().unwrap();
    assert!(!letter.text.contains("evil"), "{}", letter.text);
    assert!(letter.text.contains(ORIGIN));
}

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
    profile(&shop, &there).await.expect(StatusCode::OK);
    let done = change(DEMO, NEW, NEW).await.expect(StatusCode::OK);
    assert_eq!(done.body, json!({ "data": {} }));
    assert!(done.cookie_line("layby_session").contains("Max-Age=0"));
    for session in [&here, &there] {
        profile(&shop, session)
            .await
            .expect(StatusCode::UNAUTHORIZED);
    }
    try_log_in(&shop, ann, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn guessing_the_old_password_has_to_wait() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let cookie = shop.log_in(ann).await;
    let guess = json!({
        "password": "Wrong-pass-1", "new_password": NEW, "new_password_repeat": NEW,
    });
    let mut statuses = Vec::new();
    for _ in 0..7 {
        let call = shop
            .put("/api/v1/profile/password", &guess)
            .cookies(&cookie);
        statuses.push(call.send().await.status.as_u16());
    }
    assert_eq!(statuses, [422, 422, 422, 422, 422, 429, 429]);
}

async fn edit(shop: &Shop, cookie: &str, change: &Value) -> Answer {
    shop.put("/api/v1/profile", change)
        .cookies(cookie)
        .send()
        .await
}

#[tokio::test]
async fn details_are_changed_whole_or_not_at_all() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let cookie = shop.log_in(ann).await;
    let before = profile(&shop, &cookie).await;
    let refused = edit(
        &shop,
        &cookie,
        &json!({ "first_name": "Zoë", "last_name": " ", "postcode_primary": "nowhere" }),
    )
    .await
    .expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.fields(), ["last_name", "postcode_primary"]);
    assert_eq!(profile(&shop, &cookie).await.body, before.body);

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
    let read = profile(&shop, &cookie).await;
    assert_eq!(changed.body, read.body);
    assert_eq!(read.at("/first_name"), "Zoë");
    assert_eq!(read.at("/fax_primary"), "+442079460018");
    assert_eq!(read.at("/last_name"), before.at("/last_name"));
    assert_eq!(read.at("/marketing_contact"), true);
    assert_eq!(read.at("/middle_name"), &Value::Null);
    // Consent can be withdrawn.
    edit(&shop, &cookie, &json!({ "marketing_contact": false })).await;
    assert_eq!(
        profile(&shop, &cookie).await.at("/marketing_contact"),
        false
    );
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

#[tokio::test]
async fn a_new_mail_address_counts_once_its_mailbox_confirms_and_the_old_one_is_told() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let cookie = shop.log_in(ann).await;
    let pending = edit(
        &shop,
        &cookie,
        &json!({ "email_primary": "ann.new@example.org" }),
    )
    .await
    .expect(StatusCode::OK);
    assert_eq!(pending.text("/email_primary"), *ann);
    assert_eq!(pending.text("/email_pending"), "ann.new@example.org");
    shop.work().await;
    let letters = shop.letters();
    let asked = |letter: &Letter| letter.to == *ann && letter.subject.contains("new email");
    assert!(letters.iter().any(asked));
    let new = letters
        .iter()
        .find(|letter| letter.to == "ann.new@example.org")
        .unwrap();
    let secret = new.link("/confirm-email#");
    let old_reset = mailed_aid(&shop, ann).await;

    let confirm = || {
        shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
            .cookies(&cookie)
    };
    // The link alone may have been opened by somebody else.
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .send()
        .await
        .expect(StatusCode::UNAUTHORIZED);
    // A link that confirms sets no password, and the other way round.
    reset(&shop, &secret, NEW)
        .await
        .expect(StatusCode::NOT_FOUND);
    shop.post("/api/v1/profile/email", &json!({ "secret": old_reset }))
        .cookies(&cookie)
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
    confirm().send().await.expect(StatusCode::OK);
    confirm().send().await.expect(StatusCode::NOT_FOUND);
    let read = profile(&shop, &cookie).await;
    assert_eq!(read.text("/email_primary"), "ann.new@example.org");
    assert_eq!(read.at("/email_pending"), &Value::Null);
    try_log_in(&shop, "Ann.New@example.org", DEMO)
        .await
        .expect(StatusCode::OK);
    try_log_in(&shop, ann, DEMO)
        .await
        .expect(StatusCode::UNPROCESSABLE_ENTITY);
    // Links in the old mailbox open nothing any more.
    reset(&shop, &old_reset, NEW)
        .await
        .expect(StatusCode::NOT_FOUND);
    shop.work().await;
    let told = |letter: &Letter| letter.to == *ann && letter.subject.contains("was changed");
    assert!(shop.letters().iter().any(told));
}

#[tokio::test]
async fn somebody_elses_address_is_not_taken_and_the_asker_learns_nothing() {
    let shop = Shop::new().await;
    let users = shop.seed(2, 0).await;
    let cookie = shop.log_in(&users[0]).await;
    let asked = edit(&shop, &cookie, &json!({ "email_primary": users[1] }))
        .await
        .expect(StatusCode::OK);
    assert_eq!(asked.text("/email_pending"), users[1]);
    shop.work().await;
    let letter = shop
        .letters()
        .into_iter()
        .find(|letter| letter.to == users[1])
        .unwrap();
    assert!(!letter.text.contains("/confirm-email#"));
    // The wish is taken back by sending the present address.
    let back = edit(&shop, &cookie, &json!({ "email_primary": users[0] })).await;
    assert_eq!(back.at("/email_pending"), &Value::Null);
    for wrong in ["", "nonsense", "a@b"] {
        let answer = edit(&shop, &cookie, &json!({ "email_primary": wrong })).await;
        assert_eq!(answer.fields(), ["email_primary"], "{wrong}");
    }
}

#[tokio::test]
async fn a_letter_that_can_not_be_sent_is_tried_again_later() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    forget(&shop, ann).await.expect(StatusCode::OK);
    let folder = shop.mail_folder();
    std::fs::remove_dir(&folder).unwrap();
    shop.work().await;
    std::fs::create_dir(&folder).unwrap();
    shop.work().await;
    assert!(shop.letters().is_empty(), "not before its time");
    shop.clock.advance(TimeDelta::seconds(2));
    shop.work().await;
    let aid = shop.letters().pop().unwrap().link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_session_of_another_store_is_worth_nothing() {
    let (shop, other) = (Shop::new().await, Shop::new().await);
    let ann = &shop.seed(2, 0).await[0];
    other.seed(2, 0).await;
    let cookie = other.log_in(ann).await;
    profile(&shop, &cookie)
        .await
        .expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_reset_takes_back_the_address_that_somebody_else_asked_for() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let thief = shop.log_in(ann).await;
    edit(
        &shop,
        &thief,
        &json!({ "email_primary": "thief@example.org" }),
    )
    .await;
    shop.work().await;
    let letters = shop.letters();
    let to_thief = letters
        .iter()
        .find(|letter| letter.to == "thief@example.org");
    let secret = to_thief.unwrap().link("/confirm-email#");
    // The owner does what the letter to the old address says.
    let aid = mailed_aid(&shop, ann).await;
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    let cookie = shop.log_in_with(ann, NEW).await;
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .cookies(&cookie)
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
    assert_eq!(
        profile(&shop, &cookie).await.at("/email_pending"),
        &Value::Null
    );
}

#[tokio::test]
async fn the_mailbox_is_a_way_in_that_nobody_elses_guesses_close() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    for _ in 0..6 {
        try_log_in(&shop, ann, "Wrong-pass-1").await;
    }
    try_log_in(&shop, ann, DEMO)
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    let aid = mailed_aid(&shop, ann).await;
    let done = reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
    let device = done.cookie("layby_device");
    for _ in 0..6 {
        try_log_in(&shop, ann, "Wrong-pass-1").await;
    }
    shop.post("/api/login", &json!({ "username": ann, "password": NEW }))
        .cookies(&device)
        .send()
        .await
        .expect(StatusCode::OK);
}

#[tokio::test]
async fn an_outage_of_the_mail_uses_up_none_of_the_letters() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    forget(&shop, ann).await.expect(StatusCode::OK);
    std::fs::remove_dir(shop.mail_folder()).unwrap();
    for _ in 0..8 {
        shop.work().await;
        shop.clock.advance(TimeDelta::minutes(5));
    }
    std::fs::create_dir(shop.mail_folder()).unwrap();
    shop.work().await;
    let aid = shop.letters().pop().unwrap().link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_address_once_typed_into_a_quote_can_still_become_an_accounts() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let mut product = two_vehicles();
    product["values"]["email_primary"] = json!("ann.new@example.org");
    let quote = shop.quote(&product).await;
    shop.clock.advance(TimeDelta::seconds(31));
    shop.work().await;
    let cookie = shop.log_in(ann).await;
    edit(
        &shop,
        &cookie,
        &json!({ "email_primary": "ann.new@example.org" }),
    )
    .await;
    shop.work().await;
    let letters = shop.letters();
    let confirm = letters
        .iter()
        .find(|letter| letter.text.contains("/confirm-email#"))
        .unwrap();
    let secret = confirm.link("/confirm-email#");
    shop.post("/api/v1/profile/email", &json!({ "secret": secret }))
        .cookies(&cookie)
        .send()
        .await
        .expect(StatusCode::OK);
    // The quote that waited for this mailbox is hers too.
    let list = shop
        .get("/api/v2/policy/list")
        .cookies(&cookie)
        .send()
        .await;
    assert_eq!(list.text("/data/0/policy_uuid"), quote.uuid);
    // And the link that would have set a first password for it opens nothing.
    let first = letters
        .iter()
        .find(|letter| letter.to == "ann.new@example.org" && letter.text.contains("?aid="));
    let aid = first.unwrap().link("/reset-password?aid=");
    reset(&shop, &aid, NEW).await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn logging_out_ends_the_session_of_a_token_too() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let token = shop
        .post(
            "/api/login",
            &json!({ "username": ann, "password": DEMO, "token": true }),
        )
        .send()
        .await
        .text("/token");
    shop.get("/api/logout")
        .bearer(&token)
        .send()
        .await
        .expect(StatusCode::OK);
    shop.get("/api/v1/profile")
        .bearer(&token)
        .send()
        .await
        .expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_neighbours_guesses_keep_nobody_from_a_link_or_a_known_browser() {
    let shop = Shop::new().await;
    let ann = &shop.seed(2, 0).await[0];
    let home = try_log_in(&shop, ann, DEMO).await.cookie("layby_device");
    let aid = mailed_aid(&shop, ann).await;
    for number in 0..40 {
        reset(&shop, &format!("guess-{number}"), NEW).await;
        try_log_in(&shop, &format!("u{number}@example.org"), "Wrong-pass-1").await;
    }
    try_log_in(&shop, "u@example.org", DEMO)
        .await
        .expect(StatusCode::TOO_MANY_REQUESTS);
    shop.post("/api/login", &json!({ "username": ann, "password": DEMO }))
        .cookies(&home)
        .send()
        .await
        .expect(StatusCode::OK);
    reset(&shop, &aid, NEW).await.expect(StatusCode::OK);
}
