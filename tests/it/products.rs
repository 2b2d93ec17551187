//! Several products: gadget cover, and a product that an operator adds as a file.

mod gadget;

use layby::products::Catalogue;
use poem::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Answer, Shop, two_gadgets, two_vehicles};

/// Pays for an accepted quote. Returns the policy.
async fn buy(shop: &Shop, product: &Value) -> Answer {
    let quote = shop.quote(product).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let started = shop.initiate(&quote).await.expect(StatusCode::OK);
    shop.pay(&started.text("/data/url"), "4242424242424242")
        .await
        .assert_status_is_ok();
    shop.payment(&quote).await.expect(StatusCode::OK);
    shop.get(&format!("/api/v2/policy/read/{}", quote.uuid))
        .bearer(&quote.token)
        .succeeds()
        .await
}

#[tokio::test]
async fn each_dataset_has_the_identifier_the_id_and_the_title_of_its_group() {
    let shop = Shop::new().await;
    let breakdown = [
        ("cover", "Choose your cover", false),
        ("policyholder", "About you", false),
        ("vehicles", "Your vehicles", true),
        ("persons", "Anyone else to cover", true),
        ("trips", "Your trips", true),
        ("extras", "Make it yours", false),
        ("declarations", "Before you buy", false),
    ];
    let gadget = [
        ("cover", "Choose your cover", false),
        ("gadgets", "Your gadgets", true),
        ("policyholder", "About you", false),
        ("extras", "Make it yours", false),
        ("declarations", "Before you buy", false),
    ];
    for (product, expected) in [("breakdown", &breakdown[..]), ("gadget", &gadget[..])] {
        let path = format!("/api/v2/openapi/product/{product}");
        let read = shop.get(&path).succeeds().await;
        let datasets = read.at("/form/datasets").as_array().unwrap().iter();
        let found: Vec<_> = datasets
            .map(|dataset| {
                let text = |name: &str| dataset[name].as_str().unwrap();
                let multi = dataset["multi"].as_bool().unwrap();
                let id = dataset["id"].as_u64().unwrap();
                (id, text("identifier"), text("title"), multi)
            })
            .collect();
        let expected = (1_u64..).zip(expected);
        let expected: Vec<_> = expected.map(|(id, (a, b, c))| (id, *a, *b, *c)).collect();
        assert_eq!(found, expected, "{product}");
    }
}

#[tokio::test]
async fn no_level_of_any_cover_ticks_an_excess() {
    let shop = Shop::new().await;
    for product in ["breakdown", "gadget"] {
        let path = format!("/api/v2/openapi/product/{product}");
        let read = shop.get(&path).succeeds().await;
        let datasets = read.at("/form/datasets").as_array().unwrap().iter();
        let fields = datasets.flat_map(|dataset| dataset["fields"].as_array().unwrap());
        let options = fields.flat_map(|field| field["options"].as_array().unwrap());
        let included: Vec<_> = options
            .filter_map(|option| option["includes"].as_array())
            .flatten()
            .map(|text| text.as_str().unwrap())
            .collect();
        assert!(included.len() > 4, "{product}");
        let excess = included.iter().filter(|text| text.contains("excess"));
        assert_eq!(excess.count(), 0, "{product}: {included:?}");
    }
}

/// A vehicle with two wheels has the specification's word in the form, the summary and the documents.
#[test]
fn there_is_one_word_for_a_bike() {
    let texts = layby::products::builtin().iter();
    for (file, text) in texts.chain(layby::products::builtin_documents()) {
        let text = text.replace("icon = \"motorbike\"", "").to_lowercase();
        for word in ["motorbike", "motorcycle", "motor bike", "motor cycle"] {
            assert!(!text.contains(word), "{file}: {word}");
        }
    }
}

#[tokio::test]
async fn a_last_name_that_looks_like_a_date_is_shown_as_it_was_typed() {
    let shop = Shop::new().await;
    for mut product in [two_vehicles(), two_gadgets()] {
        product["values"]["last_name"] = json!("01.02.1990");
        let quote = shop.quote(&product).await;
        let read = shop.read(&quote).await.expect(StatusCode::OK);
        assert_eq!(read.at("/data/values/last_name"), "01.02.1990");
        assert_eq!(read.at("/data/info/holder_name"), "Ann 01.02.1990");
    }
}

/// Starts a shop with an operator's folder of one file.
async fn shop_with(name: &str, text: &str) -> Shop {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await
}

#[tokio::test]
async fn a_third_product_is_one_file_and_is_listed_quoted_and_bought() {
    let shop = shop_with(
        "bicycle.toml",
        include_str!("../fixtures/products/bicycle.toml"),
    )
    .await;
    let list = shop.get("/api/v2/product/list").send().await;
    let identifiers = list.body.as_array().unwrap().iter();
    let identifiers: Vec<_> = identifiers.map(|item| item["identifier"].clone()).collect();
    assert_eq!(identifiers, ["breakdown", "gadget", "bicycle"]);
    shop.page(Method::GET, "/cover/bicycle")
        .header("Accept", "text/html")
        .send()
        .await
        .assert_status_is_ok();

    let bicycles = json!({
        "product_identifier": "bicycle",
        "values": {
            "lock": "gold", "start_date": "01.12.2026", "first_name": "Ann",
            "last_name": "O’Neill", "email_primary": "ann@example.org",
            "postcode_primary": "ls6 1ab",
        },
        "multi": { "bicycles": [
            { "kind": "classic", "value": 450 },
            { "kind": "electric", "value": 1800 },
        ] },
    });
    let policy = buy(&shop, &bicycles).await;
    assert!(policy.text("/data/info/custom_id").starts_with("BIC"));
    assert_eq!(policy.at("/data/info/status_id"), 5);
    // £24.00 and £79.00, 15 percent off, plus 12 percent tax.
    assert_eq!(policy.at("/data/policy/paid"), 98.06);
    assert_eq!(policy.at("/data/policy/inception"), "2026-12-01");
    assert_eq!(policy.at("/data/info/holder_name"), "Ann O’Neill");

    // The other two are still sold, and the demonstration data has all three.
    assert_eq!(
        buy(&shop, &two_vehicles()).await.at("/data/info/status_id"),
        5
    );
    assert_eq!(
        buy(&shop, &two_gadgets()).await.at("/data/info/status_id"),
        5
    );
    let user = shop.seed(1, 60).await.remove(0);
    let cookie = shop.log_in(&user).await;
    for product in ["breakdown", "gadget", "bicycle"] {
        let found = shop
            .get(&format!(
                "/api/v2/policy/list?quoteStatus[]=5&productID={product}"
            ))
            .header("Cookie", &cookie)
            .send()
            .await;
        assert!(found.at("/total").as_u64().unwrap() > 0, "{product}");
    }
}

#[tokio::test]
async fn every_list_of_prices_says_what_it_is_for() {
    let shop = Shop::new().await;
    for (product, smallest, [dataset, assumed]) in [
        (
            "breakdown",
            "one car, local, with the excess",
            ["vehicles", "one new car"],
        ),
        (
            "gadget",
            "one pair of headphones worth £100",
            ["gadgets", "one phone worth £500"],
        ),
    ] {
        let path = format!("/api/v2/openapi/product/{product}");
        let read = shop.get(&path).succeeds().await;
        assert_eq!(read.at("/info/price_from_for"), smallest);
        assert!(read.at("/info/price_from").as_f64().unwrap() > 0.0);
        let datasets = read.at("/form/datasets").as_array().unwrap();
        let dataset = datasets.iter().find(|each| each["identifier"] == dataset);
        assert_eq!(dataset.unwrap()["assumed"], assumed);
    }
}

#[tokio::test]
async fn the_help_page_has_twelve_questions_of_the_product_file() {
    let shop = Shop::new().await;
    let help = shop.get("/api/v1/help").succeeds().await;
    assert_eq!(help.at("/data/0/identifier"), "breakdown");
    assert_eq!(help.at("/data/0/phone"), "01632 960 999");
    let questions = help.at("/data/0/questions").as_array().unwrap();
    assert_eq!(questions.len(), 12);
    for asked in questions {
        let answer = asked["answer"].as_str().unwrap();
        assert!(!answer.contains('{'), "{answer}");
    }
    let first = help.text("/data/0/questions/0/answer");
    assert!(first.contains("call us on 01632 960 999"), "{first}");
}
