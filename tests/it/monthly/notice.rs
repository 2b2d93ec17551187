//! The notice of the end of cover: its days count from the letter, and an open payment delays the end.

use chrono::TimeDelta;
use layby::app::jobs;
use layby::app::letters::delivery::outbox::{self, MailOrder};
use layby::store::WriteTx;
use layby::store::tables::{self, RefusedAddress};
use poem::http::StatusCode;
use serde_json::{Value, json};

use super::pay_now::pay;
use super::{DECLINED_LATER, collects, covered_monthly, letters, lives_until, plan};
use crate::money::books::is_clean;
use crate::money::disputes::unresolved;
use crate::policies::{Customer, PAYS};

async fn mail(ann: &Customer, order: MailOrder) -> String {
    let mut lines = Vec::new();
    let done = outbox::execute(
        &ann.shop.app.store,
        &order,
        ann.shop.clock.now(),
        &mut lines,
    );
    done.await.unwrap();
    ann.works().await;
    lines.join("\n")
}

#[tokio::test]
async fn a_notice_that_waits_for_the_mail_server_gives_14_days_from_its_letter() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    lives_until(&mut ann, "2026-12-27").await;
    std::fs::remove_dir_all(ann.shop.mail_folder()).unwrap();
    lives_until(&mut ann, "2026-12-30").await;
    let own = plan(&ann, &policy).await;
    assert_eq!(
        (&own["status"], &own["last_day"]),
        (&json!("failed"), &Value::Null)
    );
    let listed = unresolved(&ann.shop).await;
    assert!(listed[0].facts.contains("is not sent yet"), "{listed:?}");
    std::fs::create_dir(ann.shop.mail_folder()).unwrap();
    mail(&ann, MailOrder::Requeue(Vec::new())).await;
    assert_eq!(letters(&ann, "will end unless you pay"), 1);
    let own = plan(&ann, &policy).await;
    assert_eq!(
        (&own["status"], &own["last_day"]),
        (&json!("notice"), &json!("2027-01-13"))
    );
    let letter = ann.shop.letters().pop().unwrap();
    assert!(letter.text.contains("13 January 2027"), "{}", letter.text);
    is_clean(&ann.shop, "with a late notice");
}

#[tokio::test]
async fn an_address_that_refuses_the_notice_keeps_its_cover_until_a_person_looks() {
    let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
    lives_until(&mut ann, "2026-12-27").await;
    let name = "oliver.evans1@example.org".to_string();
    let at = ann.shop.clock.now() + TimeDelta::days(30);
    let refuse = move |tx: &mut WriteTx<'_>| {
        let reason = "the mail server answered 550 5.1.1".to_string();
        tables::REFUSED_ADDRESSES.put(tx, &name, &RefusedAddress { at, reason })
    };
    ann.shop.app.store.write(refuse).await.unwrap();
    lives_until(&mut ann, "2027-01-20").await;
    assert_eq!(ann.policy(&policy).await.at("/data/info/status_id"), 5);
    assert_eq!(plan(&ann, &policy).await["last_day"], Value::Null);
    let listed = mail(&ann, MailOrder::List).await;
    assert!(listed.contains("given up"), "{listed}");
    mail(
        &ann,
        MailOrder::Forget(vec!["oliver.evans1@example.org".to_string()]),
    )
    .await;
    mail(&ann, MailOrder::Requeue(Vec::new())).await;
    assert_eq!(plan(&ann, &policy).await["last_day"], "2027-02-03");
}

#[tokio::test]
async fn a_payment_of_the_last_day_that_nobody_told_of_saves_the_cover() {
    for pays in [true, false] {
        let (mut ann, policy) = covered_monthly(DECLINED_LATER).await;
        lives_until(&mut ann, "2027-01-11").await;
        let started = pay(&ann, &policy, json!({})).await.expect(StatusCode::OK);
        if pays {
            ann.shop.pay(&started.text("/data/url"), PAYS).await;
        }
        ann.shop.clock.advance(TimeDelta::hours(19));
        jobs::collect(&ann.shop.app).await.unwrap();
        let status = ann.policy(&policy).await;
        let expected = if pays { "active" } else { "ended" };
        assert_eq!(status.at("/data/policy/plan/status"), expected);
        collects(&ann).await;
        is_clean(&ann.shop, "after the last day");
    }
}
