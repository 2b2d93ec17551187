//! Documents of a policy: printed after a sale, and their content.

use poem::http::StatusCode;
use serde_json::json;

use super::{buy, check, fetch, identifier, items, list};
use crate::support::pdf::says;
use crate::support::{Shop, two_gadgets, two_vehicles, two_vehicles_with};

#[tokio::test]
async fn a_sale_is_followed_by_its_documents() {
    let shop = Shop::new().await;
    let policy = buy(&shop, &two_vehicles()).await;
    let before = list(&shop, &policy).await;
    let titles: Vec<_> = items(&before)
        .into_iter()
        .map(|(title, _, ready)| (title, ready))
        .collect();
    let expected = [
        ("Policy Schedule", false),
        ("Demands and Needs Statement", false),
        ("Receipt", false),
        ("Policy Wording", true),
        ("Insurance Product Information Document (IPID)", true),
    ];
    assert_eq!(
        titles,
        expected.map(|(title, ready)| (title.to_string(), ready))
    );
    assert_eq!(before.text("/data/documents/0/title"), "Your policy");
    assert_eq!(
        before.text("/data/revisions/1/date_revision"),
        "2026-11-21T12:00:00.000123Z"
    );
    assert_eq!(before.at("/data/external"), &json!([]));

    let schedule = identifier(&before, "Policy Schedule");
    let early = fetch(&shop, &policy, &schedule)
        .await
        .expect(StatusCode::CONFLICT);
    assert_eq!(early.text("/code"), "not_ready");
    assert_eq!(early.headers["retry-after"], "2");
    assert_eq!(check(&shop, &policy, &[&schedule]).await[&schedule], false);

    shop.work().await;
    assert!(
        items(&list(&shop, &policy).await)
            .iter()
            .all(|(.., ready)| *ready)
    );
    assert_eq!(check(&shop, &policy, &[&schedule]).await[&schedule], true);
    let made = fetch(&shop, &policy, &schedule)
        .await
        .expect(StatusCode::OK);
    let reference = policy.body["data"]["custom_id"].as_str().unwrap();
    assert_eq!(made.headers["content-type"], "application/pdf");
    assert_eq!(
        made.headers["content-disposition"],
        format!("inline; filename=\"Policy-Schedule-{reference}.pdf\"").as_str()
    );
    assert_eq!(made.headers["cache-control"], "no-store");
    says(
        &made.bytes,
        &[
            reference,
            "Ann O’Neill",
            "1 High Street",
            "25 November 2026",
            "24 November 2027",
            "AB12 CDE",
            "K1 NGS",
            "01/03/2012",
            "National cover",
            "Insurance Premium Tax (12%)",
            "01632 960 999",
            "SAMPLE",
            "Page 1 of",
            "Financial Ombudsman",
        ],
    );
    let tag = made.headers["etag"].to_str().unwrap();
    let again = shop.get(&format!("/api/v1/documents/{schedule}"));
    let again = again
        .bearer(&policy.token)
        .header("If-None-Match", tag)
        .send()
        .await;
    assert!(again.expect(StatusCode::NOT_MODIFIED).bytes.is_empty());

    let needs = fetch(
        &shop,
        &policy,
        &identifier(&before, "Demands and Needs Statement"),
    )
    .await;
    says(
        &needs.bytes,
        &["You want help anywhere in the UK", "not advised you"],
    );
    let paid = shop
        .get(&format!("/api/v2/policy/{}", policy.uuid))
        .bearer(&policy.token)
        .send()
        .await;
    let paid = format!("£{:.2}", paid.at("/data/policy/paid").as_f64().unwrap());
    let receipt = fetch(&shop, &policy, &identifier(&before, "Receipt")).await;
    says(
        &receipt.bytes,
        &["We have received your payment", &paid, "21 November 2026"],
    );
}

#[tokio::test]
async fn a_quotes_documents_can_be_read_before_it_is_bought() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_gadgets()).await;
    let path = format!("/api/v2/quote/documents/{}", quote.uuid);
    let read = async || shop.get(&path).bearer(&quote.token).succeeds().await;
    let listed = read().await;
    assert_eq!(listed.at("/data/0/identifier"), "gadget-2026.8-wording");
    assert_eq!(listed.at("/data/1/identifier"), "gadget-2026.8-ipid");
    assert_eq!(listed.at("/data/2/title"), "Demands and Needs Statement");
    assert_eq!(listed.at("/data/2/is_ready"), false);
    shop.work().await;
    let listed = read().await;
    assert_eq!(listed.at("/data/2/is_ready"), true);
    let needs = fetch(&shop, &quote, &listed.text("/data/2/identifier")).await;
    says(
        &needs.bytes,
        &["You want them covered against theft.", "Gadget cover"],
    );
    shop.get(&path).answers(StatusCode::UNAUTHORIZED).await;
    // The policy's address lists the documents of policies only.
    let policys = format!("/api/v1/policy/{}/documents", quote.uuid);
    shop.get(&policys)
        .bearer(&quote.token)
        .answers(StatusCode::NOT_FOUND)
        .await;
}

#[tokio::test]
async fn a_template_with_a_mistake_stops_no_sale_and_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let settings = format!("[documents]\ntemplates = {:?}\n", folder.path());
    let shop = Shop::configured(&settings).await;
    let template = folder.path().join("schedule.typ");
    std::fs::write(&template, "#import \"look.typ\": *\n#wrong\n").unwrap();
    std::fs::write(folder.path().join("wording.typ"), "#wrong\n").unwrap();
    let policy = buy(&shop, &two_vehicles()).await;
    shop.work().await;
    let found = list(&shop, &policy).await;
    let ready = items(&found)
        .into_iter()
        .map(|(.., ready)| ready)
        .collect::<Vec<_>>();
    assert_eq!(ready, [false, true, true, true, true]);
    let schedule = identifier(&found, "Policy Schedule");
    fetch(&shop, &policy, &schedule)
        .await
        .expect(StatusCode::CONFLICT);
    let wording = shop.get("/api/v1/documents/breakdown-2026.8-wording");
    let later = wording.answers(StatusCode::CONFLICT).await;
    assert_eq!(later.headers["retry-after"], "60");
    let known = items(&list(&shop, &policy).await);
    let ready = known.iter().map(|(.., ready)| *ready).collect::<Vec<_>>();
    assert_eq!(ready, [false, true, true, false, true]);

    // After the correction, the next retry prints the document without a restart.
    std::fs::write(
        &template,
        "#import \"look.typ\": *\n#let data = json(\"data.json\")\n#show: paper.with(data.head)\n#title[Ours]\n#data.to.name\n",
    )
    .unwrap();
    std::fs::remove_file(folder.path().join("wording.typ")).unwrap();
    shop.clock.advance(chrono::TimeDelta::hours(1));
    shop.work().await;
    let made = fetch(&shop, &policy, &schedule)
        .await
        .expect(StatusCode::OK);
    says(&made.bytes, &["Ours", "Ann O’Neill"]);
    let wording = shop.get("/api/v1/documents/breakdown-2026.8-wording");
    wording.succeeds().await;
}

#[tokio::test]
async fn what_a_customer_typed_is_printed_as_typed() {
    let shop = Shop::new().await;
    let mut product = two_vehicles_with("last_name", "#panic() *bold* $x$ <a>");
    product["values"]["address_primary"] =
        json!("= Heading 7\n- list \\ #import \"x\" @cite `raw`");
    let policy = buy(&shop, &product).await;
    shop.work().await;
    let found = list(&shop, &policy).await;
    let schedule = fetch(&shop, &policy, &identifier(&found, "Policy Schedule")).await;
    says(
        &schedule.expect(StatusCode::OK).bytes,
        &[
            "Ann #panic() *bold* $x$ <a>",
            "= Heading 7",
            "- list \\ #import \"x\" @cite `raw`",
        ],
    );
}

#[tokio::test]
async fn seeded_policies_have_theirs_made_when_they_are_asked_for() {
    let shop = Shop::new().await;
    let user = shop.seed(1, 6).await.remove(0);
    let cookie = shop.log_in(&user).await;
    let policies = shop
        .get("/api/v2/policy/list?quoteStatus[]=5")
        .cookies(&cookie)
        .send()
        .await;
    let uuid = policies.text("/data/0/policy_uuid");
    let path = format!("/api/v1/policy/{uuid}/documents");
    let read = async || shop.get(&path).cookies(&cookie).succeeds().await;
    assert!(items(&read().await).iter().any(|(.., ready)| !ready));
    shop.work().await;
    let listed = read().await;
    assert!(items(&listed).iter().all(|(.., ready)| *ready));
    let schedule = identifier(&listed, "Policy Schedule");
    let made = shop
        .get(&format!("/api/v1/documents/{schedule}"))
        .cookies(&cookie)
        .send()
        .await;
    says(&made.expect(StatusCode::OK).bytes, &["Policy Schedule"]);
}

#[tokio::test]
async fn who_to_call_is_what_the_products_file_says() {
    let shop = Shop::new().await;
    for (product, call) in [
        (two_vehicles(), ["call 01632 960 999", "At any hour"]),
        (
            two_gadgets(),
            ["call 01632 960 123", "9am to 5pm Monday to Friday"],
        ),
    ] {
        let policy = buy(&shop, &product).await;
        shop.work().await;
        let found = list(&shop, &policy).await;
        for title in ["Policy Schedule", "Policy Wording"] {
            let document = fetch(&shop, &policy, &identifier(&found, title)).await;
            says(&document.bytes, &call);
        }
        let letters = shop.letters();
        let bought = letters
            .iter()
            .rev()
            .find(|letter| letter.text.contains(call[0]));
        assert!(
            bought.is_some_and(|letter| letter.text.contains(call[1])),
            "{call:?}"
        );
    }
}
