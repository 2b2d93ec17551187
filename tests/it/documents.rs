//! Documents: made after a sale, read by those who may, and the product's by anybody.

use std::path::Path;
use std::process::Command;

use layby::products::Catalogue;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Made, Shop, two_gadgets, two_trips, two_vehicles};

/// What a document says, where the machine has a reader of PDF.
fn text_of(pdf: &[u8]) -> Option<String> {
    assert!(pdf.starts_with(b"%PDF-"), "this is no PDF");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("document.pdf");
    std::fs::write(&file, pdf).unwrap();
    // For somebody who wants to look at them.
    if let Some(kept) = std::env::var_os("KEEP_DOCUMENTS") {
        let hash = layby::secret::hash_token(&format!("{pdf:?}"));
        let name = format!("{}.pdf", data_encoding::HEXLOWER.encode(&hash[..4]));
        std::fs::write(Path::new(&kept).join(name), pdf).unwrap();
    }
    let read = Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8"])
        .arg(&file)
        .arg("-")
        .output();
    let Ok(read) = read else {
        eprintln!("there is no pdftotext: the document is not read");
        return None;
    };
    assert!(read.status.success());
    Some(String::from_utf8(read.stdout).unwrap())
}

/// That a document says all of these; white space doesn't matter.
#[track_caller]
fn says(pdf: &[u8], sentences: &[&str]) {
    let Some(text) = text_of(pdf) else { return };
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = plain(&text);
    for sentence in sentences {
        assert!(
            read.contains(&plain(sentence)),
            "{sentence} isn't in: {text}"
        );
    }
}

fn pages(text: &str) -> usize {
    text.matches('\u{c}').count()
}

/// Buys cover; the documents are not made yet.
async fn buy(shop: &Shop, product: &Value) -> Made {
    let quote = shop.quote(product).await;
    let declared = json!({ "payment_frequency": "annual", "terms_and_conditions": true });
    shop.post(
        &format!("/api/v1/quote/update-accept/{}", quote.uuid),
        &declared,
    )
    .bearer(&quote.token)
    .send()
    .await
    .expect(StatusCode::OK);
    let frame = shop.initiate(&quote).await.text("/data/url");
    shop.pay(&frame, "4242 4242 4242 4242")
        .await
        .assert_status_is_ok();
    let paid = shop.payment(&quote).await;
    assert_eq!(paid.at("/data/status"), "paid", "{:#}", paid.body);
    quote
}

async fn list(shop: &Shop, policy: &Made) -> Answer {
    shop.get(&format!("/api/v1/policy/{}/documents", policy.uuid))
        .bearer(&policy.token)
        .send()
        .await
        .expect(StatusCode::OK)
}

/// Every document of a list: title, identifier, whether it is ready.
fn items(list: &Answer) -> Vec<(String, String, bool)> {
    let groups = list.at("/data/documents").as_array().unwrap().iter();
    let items = groups.flat_map(|group| group["documents"].as_array().unwrap());
    items
        .map(|item| {
            let text = |name: &str| item[name].as_str().unwrap().to_string();
            (text("title"), text("identifier"), item["is_ready"] == true)
        })
        .collect()
}

fn identifier(list: &Answer, title: &str) -> String {
    let items = items(list);
    let found = items.iter().find(|(known, ..)| known == title);
    found
        .unwrap_or_else(|| panic!("no {title} in {items:?}"))
        .1
        .clone()
}

async fn fetch(shop: &Shop, policy: &Made, identifier: &str) -> Answer {
    shop.get(&format!("/api/v1/documents/{identifier}"))
        .bearer(&policy.token)
        .send()
        .await
}

async fn check(shop: &Shop, policy: &Made, docs: &[&str]) -> Value {
    let body = json!({ "docs": docs });
    let call = shop
        .post("/api/v1/documents/check", &body)
        .bearer(&policy.token);
    call.send().await.expect(StatusCode::OK).at("/data").clone()
}

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
    assert_eq!(made.headers["cache-control"], "private, no-cache");
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
async fn documents_are_their_owners_alone() {
    let shop = Shop::new().await;
    let (policy, other) = (
        buy(&shop, &two_vehicles()).await,
        buy(&shop, &two_trips()).await,
    );
    shop.work().await;
    let found = list(&shop, &policy).await;
    let schedule = identifier(&found, "Policy Schedule");
    let path = format!("/api/v1/documents/{schedule}");
    fetch(&shop, &other, &schedule)
        .await
        .expect(StatusCode::NOT_FOUND);
    shop.get(&path)
        .send()
        .await
        .expect(StatusCode::UNAUTHORIZED);
    for path in ["documents", "external-documents"] {
        let path = format!("/api/v1/policy/{}/{path}", policy.uuid);
        shop.get(&path)
            .bearer(&other.token)
            .send()
            .await
            .expect(StatusCode::NOT_FOUND);
        shop.get(&path)
            .send()
            .await
            .expect(StatusCode::UNAUTHORIZED);
    }
    let nobodys = uuid::Uuid::nil().to_string();
    fetch(&shop, &policy, &nobodys)
        .await
        .expect(StatusCode::NOT_FOUND);
    fetch(&shop, &policy, "../../etc/passwd")
        .await
        .expect(StatusCode::NOT_FOUND);
    let checked = check(
        &shop,
        &other,
        &[&schedule, &nobodys, "x", "breakdown-2026.3-ipid"],
    )
    .await;
    assert_eq!(
        checked,
        json!({ &schedule: false, &nobodys: false, "x": false, "breakdown-2026.3-ipid": true })
    );
    let many = json!({ "docs": vec!["x"; 101] });
    let many = shop
        .post("/api/v1/documents/check", &many)
        .bearer(&other.token)
        .send()
        .await;
    assert_eq!(
        many.expect(StatusCode::UNPROCESSABLE_ENTITY).fields(),
        ["docs"]
    );
    let unknown = format!("/api/v1/policy/{}/documents?revision=7", policy.uuid);
    shop.get(&unknown)
        .bearer(&policy.token)
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_visitors_token_reads_documents_after_a_day_and_nothing_else() {
    let shop = Shop::new().await;
    let policy = buy(&shop, &two_vehicles()).await;
    shop.work().await;
    shop.clock.advance(chrono::TimeDelta::days(9));
    shop.read(&policy).await.expect(StatusCode::UNAUTHORIZED);
    let found = list(&shop, &policy).await;
    let schedule = identifier(&found, "Policy Schedule");
    fetch(&shop, &policy, &schedule)
        .await
        .expect(StatusCode::OK);
    let path = format!("/api/v2/policy/{}", policy.uuid);
    shop.get(&path)
        .bearer(&policy.token)
        .send()
        .await
        .expect(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_wording_and_the_ipid_are_anybodys_before_buying() {
    let shop = Shop::new().await;
    for (product, words) in [
        (
            "breakdown",
            ["Motor legal protection", "less a fee of £15,", "Home cover"],
        ),
        (
            "gadget",
            ["Theft", "less a fee of £10,", "Damage and breakdown"],
        ),
    ] {
        let info = shop
            .get(&format!("/api/v2/openapi/product/{product}"))
            .send()
            .await;
        let documents = info.at("/info/documents").clone();
        assert_eq!(documents[0]["title"], "Policy Wording");
        let fetch = async |number: usize| {
            let identifier = documents[number]["identifier"].as_str().unwrap();
            let path = format!("/api/v1/documents/{identifier}");
            shop.get(&path).send().await.expect(StatusCode::OK)
        };
        let wording = fetch(0).await;
        assert!(
            wording.headers["cache-control"]
                .to_str()
                .unwrap()
                .starts_with("public")
        );
        says(&wording.bytes, &words);
        says(
            &wording.bytes,
            &[
                "Financial Ombudsman Service",
                "Information Commissioner",
                "SAMPLE",
            ],
        );

        // Two who ask at once get the same.
        let (one, two) = tokio::join!(fetch(1), fetch(1));
        assert_eq!(one.bytes, two.bytes);
        if let Some(text) = text_of(&one.bytes) {
            assert_eq!(pages(&text), 2, "{text}");
            says(&one.bytes, &["SAMPLE"]);
        }
        nine_headings(&one.bytes);
    }
    for unknown in [
        "breakdown-2026.2-ipid",
        "breakdown-2026.3-schedule",
        "breakdown-2026.3",
        "-ipid",
    ] {
        let path = format!("/api/v1/documents/{unknown}");
        shop.get(&path).send().await.expect(StatusCode::NOT_FOUND);
    }
}

/// The nine headings in their order, whichever column they stand in.
fn nine_headings(pdf: &[u8]) {
    let Some(_) = text_of(pdf) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ipid.pdf");
    std::fs::write(&file, pdf).unwrap();
    // In the order in which it is read out, rather than as it looks.
    let read = Command::new("pdfinfo")
        .arg("-struct-text")
        .arg(&file)
        .output()
        .unwrap();
    let read = String::from_utf8(read.stdout).unwrap();
    let mut rest = read.as_str();
    for (_, heading) in layby::domain::product::texts::IPID_HEADINGS {
        let at = rest.find(heading);
        let at = at.unwrap_or_else(|| panic!("{heading} isn't there, or not in its place: {read}"));
        rest = &rest[at + heading.len()..];
    }
}

#[tokio::test]
async fn a_quotes_documents_can_be_read_before_it_is_bought() {
    let shop = Shop::new().await;
    let quote = shop.quote(&two_gadgets()).await;
    let path = format!("/api/v2/quote/documents/{}", quote.uuid);
    let read = async || {
        shop.get(&path)
            .bearer(&quote.token)
            .send()
            .await
            .expect(StatusCode::OK)
    };
    let listed = read().await;
    assert_eq!(listed.at("/data/0/identifier"), "gadget-2026.2-wording");
    assert_eq!(listed.at("/data/1/identifier"), "gadget-2026.2-ipid");
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
    shop.get(&path)
        .send()
        .await
        .expect(StatusCode::UNAUTHORIZED);
    // A policy's page of documents is a policy's.
    let policys = format!("/api/v1/policy/{}/documents", quote.uuid);
    shop.get(&policys)
        .bearer(&quote.token)
        .send()
        .await
        .expect(StatusCode::NOT_FOUND);
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
    let wording = shop.get("/api/v1/documents/breakdown-2026.3-wording");
    wording
        .send()
        .await
        .expect(StatusCode::INTERNAL_SERVER_ERROR);

    // Mended, it is made at the next try; nothing is started anew.
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
    let wording = shop.get("/api/v1/documents/breakdown-2026.3-wording");
    wording.send().await.expect(StatusCode::OK);
}

#[tokio::test]
async fn what_a_customer_typed_is_printed_as_typed() {
    let shop = Shop::new().await;
    let mut product = two_vehicles();
    product["values"]["last_name"] = json!("#panic() *bold* $x$ <a>");
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
    let read = async || {
        shop.get(&path)
            .cookies(&cookie)
            .send()
            .await
            .expect(StatusCode::OK)
    };
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
async fn a_product_that_writes_no_documents_has_them_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let bicycle = include_str!("../fixtures/bicycle.toml");
    std::fs::write(folder.path().join("bicycle.toml"), bicycle).unwrap();
    let shop = Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await;
    let policy = buy(
        &shop,
        &json!({
            "product_identifier": "bicycle",
            "values": {
                "lock": "gold", "start_date": "01.12.2026", "first_name": "Ann",
                "last_name": "O’Neill", "email_primary": "ann@example.org",
                "postcode_primary": "ls6 1ab",
            },
            "multi": { "bicycles": [{ "kind": "electric", "value": 1800 }] },
        }),
    )
    .await;
    shop.work().await;
    let found = list(&shop, &policy).await;
    assert!(items(&found).iter().all(|(.., ready)| *ready));
    for (title, sentences) in [
        ("Policy Schedule", ["Electric", "1800", "Rated gold"]),
        (
            "Receipt",
            ["Bicycle cover", "1 December 2026", "Insurance Premium Tax"],
        ),
        (
            "Policy Wording",
            [
                "Bicycle cover",
                "Theft and accidental damage",
                "Within 14 days",
            ],
        ),
        (
            "Insurance Product Information Document (IPID)",
            [
                "What is insured?",
                "We only cover bicycles with a rated lock",
                "01632 960 123",
            ],
        ),
    ] {
        let made = fetch(&shop, &policy, &identifier(&found, title)).await;
        says(&made.expect(StatusCode::OK).bytes, &sentences);
    }
}

#[tokio::test]
async fn external_documents_are_listed_beside() {
    let shop = Shop::configured(
        "[[site.external_documents]]\ntitle = \"Our services\"\nurl = \"https://example.org/services.pdf\"\n",
    )
    .await;
    let policy = buy(&shop, &two_vehicles()).await;
    let expected = json!([{ "title": "Our services", "url": "https://example.org/services.pdf" }]);
    assert_eq!(list(&shop, &policy).await.at("/data/external"), &expected);
    let path = format!("/api/v1/policy/{}/external-documents", policy.uuid);
    let alone = shop.get(&path).bearer(&policy.token).send().await;
    assert_eq!(alone.at("/data/external"), &expected);
}
