//! Paying: whatever comes first makes the policy, once.

use layby::store::Store;
use poem::http::StatusCode;
use poem::listener::{Acceptor, Listener, TcpListener};
use serde_json::json;

use crate::support::{Answer, Made, NOW, Shop, two_vehicles};

/// A shop that its own gateway can call, and a quote ready to be paid for.
struct Till {
    shop: Shop,
    quote: Made,
    frame: String,
    stop: tokio::sync::watch::Sender<bool>,
}

impl Till {
    async fn open() -> Self {
        let acceptor = TcpListener::bind("127.0.0.1:0")
            .into_acceptor()
            .await
            .unwrap();
        let bound = acceptor.local_addr()[0].as_socket_addr().copied().unwrap();
        let local = format!("http://{bound}");
        let shop = Shop::reachable_at(Store::in_memory().unwrap(), NOW, &local).await;
        tokio::spawn(
            poem::Server::new_with_acceptor(acceptor).run(layby::api::routes(shop.app.clone())),
        );
        let quote = shop.quote(&two_vehicles()).await;
        shop.accept(&quote).await.expect(StatusCode::OK);
        let started = shop.initiate(&quote).await.expect(StatusCode::OK);
        let frame = started.text("/data/url");
        let (stop, _) = tokio::sync::watch::channel(false);
        Self {
            shop,
            quote,
            frame,
            stop,
        }
    }

    /// Lets the jobs run from here on.
    fn work(&self) {
        tokio::spawn(layby::jobs::run(
            self.shop.app.clone(),
            self.stop.subscribe(),
        ));
    }

    async fn pay(&self, card: &str) {
        self.shop.pay(&self.frame, card).await.assert_status_is_ok();
    }

    /// How the payment stands, to a page that looks every other second.
    async fn payment(&self) -> Answer {
        self.shop.clock.advance(chrono::TimeDelta::seconds(2));
        self.shop.payment(&self.quote).await.expect(StatusCode::OK)
    }

    async fn policy(&self) -> Answer {
        self.shop
            .get(&format!("/api/v2/policy/read/{}", self.quote.uuid))
            .bearer(&self.quote.token)
            .send()
            .await
    }

    fn payment_id(&self) -> uuid::Uuid {
        self.frame["/gateway/sandbox/pay/".len()..][..36]
            .parse()
            .unwrap()
    }

    /// The sale as the store has it, without asking the gateway.
    fn sold(&self) -> bool {
        let uuid = self.quote.uuid.parse().unwrap();
        layby::store::tables::POLICIES
            .has(&self.shop.app.store.read().unwrap(), &uuid)
            .unwrap()
    }

    /// Waits until the jobs have sold it.
    async fn until_sold(&self) {
        for _ in 0..500 {
            if self.sold() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("no policy was made");
    }
}

#[tokio::test]
async fn a_card_makes_a_live_policy() {
    let till = Till::open().await;
    assert_eq!(till.payment().await.at("/data/status"), "pending");
    till.policy().await.expect(StatusCode::NOT_FOUND);

    till.pay("4242 4242 4242 4242").await;
    let payment = till.payment().await;
    assert_eq!(payment.at("/data/status"), "paid");
    assert_eq!(payment.at("/data/policy"), true);
    assert_eq!(payment.at("/data/charged"), true);

    let policy = till.policy().await.expect(StatusCode::OK);
    assert_eq!(policy.at("/data/info/status_id"), 5);
    assert_eq!(policy.at("/data/info/uuid"), till.quote.uuid.as_str());
    assert_eq!(policy.at("/data/policy/inception"), "2026-11-25");
    assert_eq!(
        policy.at("/data/policy/cover_begins"),
        "2026-11-25T00:00:00Z"
    );
    assert_eq!(
        policy.at("/data/policy/paid"),
        policy.at("/data/info/price/amount_total")
    );
    let same = till
        .shop
        .get(&format!("/api/v2/policy/{}", till.quote.uuid))
        .bearer(&till.quote.token)
        .send()
        .await;
    assert_eq!(same.body, policy.body);
    // What is bought can't be bought or changed again.
    let again = till
        .shop
        .initiate(&till.quote)
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(again.text("/code"), "already_bought");
    till.shop
        .put(
            &format!("/api/v1/quote/{}", till.quote.uuid),
            &json!({ "product": two_vehicles() }),
        )
        .bearer(&till.quote.token)
        .send()
        .await
        .expect(StatusCode::CONFLICT);
}

#[tokio::test]
async fn the_callback_alone_makes_the_policy() {
    let till = Till::open().await;
    till.work();
    till.pay("4242 4242 4242 4242").await;
    till.until_sold().await;
}

#[tokio::test]
async fn two_callbacks_at_once_make_one_policy() {
    let till = Till::open().await;
    till.work();
    till.pay("4000 0000 0000 0093").await;
    till.until_sold().await;
    assert_eq!(till.payment().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn a_callback_that_never_comes_is_made_up_for_by_asking() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    assert!(!till.sold());
    // Nobody looks at a page; twenty seconds later the job asks by itself.
    till.shop.clock.advance(chrono::TimeDelta::seconds(21));
    till.work();
    till.until_sold().await;
}

#[tokio::test]
async fn a_late_callback_finds_the_policy_made_by_the_page_that_waited() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0077").await;
    assert_eq!(till.payment().await.at("/data/status"), "paid");
    let before = till.policy().await.body;
    till.shop.clock.advance(chrono::TimeDelta::seconds(6));
    till.work();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert_eq!(till.policy().await.body, before);
}

#[tokio::test]
async fn a_declined_card_takes_nothing_and_another_try_succeeds() {
    let till = Till::open().await;
    till.pay("4000 0000 0000 0002").await;
    let failed = till.payment().await;
    assert_eq!(failed.at("/data/status"), "failed");
    assert_eq!(failed.at("/data/charged"), false);
    assert_eq!(
        failed.text("/data/message"),
        "The card was declined by the bank."
    );

    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    till.shop
        .pay(&second.text("/data/url"), "4242 4242 4242 4242")
        .await
        .assert_status_is_ok();
    assert_eq!(till.payment().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn a_challenge_is_passed_or_failed() {
    for (answer, status) in [("pass", "paid"), ("fail", "failed")] {
        let till = Till::open().await;
        till.pay("4000 0027 6000 3184").await;
        assert_eq!(till.payment().await.at("/data/status"), "processing");
        till.shop.clock.advance(chrono::TimeDelta::seconds(5));
        till.shop
            .client()
            .post(till.frame.clone())
            .content_type("application/x-www-form-urlencoded")
            .body(format!("challenge={answer}"))
            .send()
            .await
            .assert_status_is_ok();
        assert_eq!(till.payment().await.at("/data/status"), status);
    }
}

#[tokio::test]
async fn coming_back_to_the_page_resumes_the_attempt() {
    let till = Till::open().await;
    let again = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(again.at("/data/resumed"), true);
    assert_eq!(again.text("/data/url"), till.frame);
}

#[tokio::test]
async fn a_changed_quote_closes_the_old_page_and_pays_the_new_price() {
    let till = Till::open().await;
    let mut product = two_vehicles();
    product["values"]["key_cover"] = json!(true);
    till.shop
        .put(
            &format!("/api/v1/quote/{}", till.quote.uuid),
            &json!({ "product": product }),
        )
        .bearer(&till.quote.token)
        .send()
        .await
        .expect(StatusCode::OK);
    let accepted = till.shop.accept(&till.quote).await.expect(StatusCode::OK);
    till.shop.clock.advance(chrono::TimeDelta::seconds(30));
    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
    // A card on the old page comes too late and takes nothing.
    till.pay("4242 4242 4242 4242").await;
    assert!(!till.sold());
    till.shop
        .pay(&second.text("/data/url"), "4242 4242 4242 4242")
        .await
        .assert_status_is_ok();
    let payment = till.payment().await;
    assert_eq!(payment.at("/data/amount"), accepted.at("/data/amount_due"));
    assert_eq!(payment.at("/data/policy"), true);
}

#[tokio::test]
async fn a_payment_begun_before_a_change_buys_what_was_accepted() {
    let till = Till::open().await;
    let mut product = two_vehicles();
    product["values"]["first_name"] = json!("Changed");
    till.pay("4000 0000 0000 0085").await;
    till.shop
        .put(
            &format!("/api/v1/quote/{}", till.quote.uuid),
            &json!({ "product": product }),
        )
        .bearer(&till.quote.token)
        .send()
        .await
        .expect(StatusCode::OK);
    assert_eq!(till.payment().await.at("/data/policy"), true);
    let policy = till.policy().await.expect(StatusCode::OK);
    assert_eq!(policy.at("/data/info/revision_id"), 1);
    assert_eq!(policy.at("/data/values/first_name"), "Ann");
    assert_eq!(policy.at("/data/info/holder_name"), "Ann O’Neill");
    assert_eq!(policy.at("/data/info/flags/accepted"), true);
}

#[tokio::test]
async fn a_second_paid_attempt_is_refunded_by_itself() {
    use layby::store::tables;
    let till = Till::open().await;
    // Paid at the gateway, of which the shop hears nothing before another attempt is paid.
    till.pay("4000 0000 0000 0085").await;
    let first = till.payment_id();
    let second = uuid::Uuid::from_u128(77);
    let quote: uuid::Uuid = till.quote.uuid.parse().unwrap();
    till.shop
        .app
        .store
        .write(move |tx| {
            let mut twin = tables::PAYMENTS.get(tx, &first)?.unwrap();
            twin.id = second;
            tables::PAYMENTS.put(tx, &second, &twin)?;
            tables::PAYMENT_BY_QUOTE.put(tx, &(quote, second), &())?;
            let mut books = tables::SANDBOX.get(tx, &first)?.unwrap();
            books.payment = second;
            tables::SANDBOX.put(tx, &second, &books)?;
            Ok::<_, layby::store::StoreError>(())
        })
        .await
        .unwrap();
    till.shop.app.ask_gateway(first).await.unwrap();
    till.shop.app.ask_gateway(second).await.unwrap();
    till.work();
    let read = |id: uuid::Uuid| {
        till.shop
            .get(&format!("/api/v1/payment/{id}"))
            .bearer(&till.quote.token)
            .send()
    };
    assert_eq!(read(first).await.at("/data/status"), "paid");
    for _ in 0..500 {
        let books = tables::SANDBOX
            .get(&till.shop.app.store.read().unwrap(), &second)
            .unwrap()
            .unwrap();
        if books.state == layby::domain::sandbox::SandboxState::Refunded {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(read(second).await.at("/data/status"), "refunded");
    // The quote's own answer is the attempt that bought it.
    assert_eq!(till.payment().await.at("/data/status"), "paid");
}

#[tokio::test]
async fn forged_and_replayed_callbacks_are_refused() {
    let till = Till::open().await;
    let body = json!({ "payment": till.quote.uuid, "state": "Paid", "amount": 1 });
    for signature in ["", "t=1,v1=00", "nonsense"] {
        till.shop
            .post("/api/v1/gateway/sandbox/callback", &body)
            .header("X-Sandbox-Signature", signature)
            .send()
            .await
            .expect(StatusCode::BAD_REQUEST);
    }
    till.shop
        .post("/api/v1/gateway/nobody/callback", &body)
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
    assert!(!till.sold());
}

#[tokio::test]
async fn the_card_form_names_its_faults_and_keeps_what_was_typed_but_the_code() {
    let till = Till::open().await;
    let answer = till
        .shop
        .client()
        .post(till.frame.clone())
        .content_type("application/x-www-form-urlencoded")
        .body("card_number=4111&expiry=01%2F20&cvc=987&cardholder=%3Cb%3EAnn")
        .send()
        .await;
    answer.assert_status(StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.0.into_body().into_string().await.unwrap();
    assert!(page.contains("Enter one of the sandbox"), "{page}");
    assert!(page.contains("value=\"4111\""));
    assert!(page.contains("&lt;b&gt;Ann"));
    assert!(!page.contains("987"));
    for address in ["x", "00000000-0000-0000-0000-000000000000.secret"] {
        let path = format!("/gateway/sandbox/pay/{address}");
        till.shop
            .client()
            .get(path)
            .send()
            .await
            .assert_status(StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn a_genuine_callback_counts_once_and_not_when_it_is_old() {
    use layby::store::tables;
    let till = Till::open().await;
    till.pay("4000 0000 0000 0085").await;
    let (books, secret) = {
        let tx = till.shop.app.store.read().unwrap();
        let secret = tables::SECRETS.get(&tx, &"sandbox".to_string()).unwrap();
        let books = tables::SANDBOX.get(&tx, &till.payment_id()).unwrap();
        (books.unwrap(), secret.unwrap())
    };
    let now = till.shop.clock.now();
    let (body, signature) =
        layby::integrations::gateway::sandbox::callback(&books, &secret, now).unwrap();
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    let call = || {
        till.shop
            .post("/api/v1/gateway/sandbox/callback", &body)
            .header("X-Sandbox-Signature", &signature)
            .send()
    };
    call().await.expect(StatusCode::OK);
    let policy = till.policy().await.expect(StatusCode::OK).body;
    call().await.expect(StatusCode::OK);
    assert_eq!(till.policy().await.body, policy);
    till.shop.clock.advance(chrono::TimeDelta::seconds(301));
    call().await.expect(StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn two_tabs_that_start_to_pay_at_once_get_the_same_page() {
    let till = Till::open().await;
    let mut product = two_vehicles();
    product["values"]["first_name"] = json!("Two");
    let quote = till.shop.quote(&product).await;
    till.shop.accept(&quote).await.expect(StatusCode::OK);
    let (one, other) = tokio::join!(till.shop.initiate(&quote), till.shop.initiate(&quote));
    let (one, other) = (one.text("/data/url"), other.text("/data/url"));
    assert_eq!(one, other);
    till.shop
        .client()
        .get(one)
        .send()
        .await
        .assert_status_is_ok();
}

#[tokio::test]
async fn a_page_the_gateway_never_heard_of_does_not_stand_in_the_way() {
    use layby::store::tables;
    let till = Till::open().await;
    // As after a kill between writing the attempt down and telling the gateway.
    let id = till.payment_id();
    till.shop
        .app
        .store
        .write(move |tx| {
            tables::SANDBOX.delete(tx, &id);
            Ok::<_, layby::store::StoreError>(())
        })
        .await
        .unwrap();
    till.shop
        .put(
            &format!("/api/v1/quote/{}", till.quote.uuid),
            &json!({ "product": two_vehicles() }),
        )
        .bearer(&till.quote.token)
        .send()
        .await
        .expect(StatusCode::OK);
    till.shop.accept(&till.quote).await.expect(StatusCode::OK);
    till.shop.clock.advance(chrono::TimeDelta::seconds(1));
    let second = till.shop.initiate(&till.quote).await.expect(StatusCode::OK);
    assert_eq!(second.at("/data/resumed"), false);
}

#[tokio::test]
async fn an_abandoned_challenge_is_closed_after_a_day() {
    let till = Till::open().await;
    till.pay("4000 0027 6000 3184").await;
    till.shop.clock.advance(chrono::TimeDelta::hours(25));
    assert_eq!(till.payment().await.at("/data/status"), "failed");
    // The page can't be answered any more.
    till.shop
        .client()
        .post(till.frame.clone())
        .content_type("application/x-www-form-urlencoded")
        .body("challenge=pass")
        .send()
        .await
        .assert_status_is_ok();
    assert!(!till.sold());
}

#[tokio::test]
async fn a_token_reads_the_policy_for_a_day() {
    let till = Till::open().await;
    till.pay("4242 4242 4242 4242").await;
    assert_eq!(till.payment().await.at("/data/policy"), true);
    till.shop.clock.advance(chrono::TimeDelta::hours(25));
    till.policy().await.expect(StatusCode::UNAUTHORIZED);
}
