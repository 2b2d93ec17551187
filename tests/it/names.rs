//! The specification's own names, ids and options (parts 3 and 7), as the API returns them.

use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Shop, two_gadgets, two_vehicles};

async fn read(shop: &Shop, path: &str) -> Value {
    shop.get(path).succeeds().await.body
}

fn datasets(product: &Value) -> &[Value] {
    product["form"]["datasets"].as_array().unwrap()
}

fn keys(of: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = of.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Returns the first field of this name.
fn field<'a>(product: &'a Value, name: &str) -> &'a Value {
    let fields = datasets(product)
        .iter()
        .flat_map(|dataset| dataset["fields"].as_array().unwrap());
    let mut named = fields.filter(|field| field["name"] == name);
    named.next().unwrap_or_else(|| panic!("no field {name}"))
}

#[tokio::test]
async fn a_product_is_read_by_its_id_or_identifier_and_has_the_named_fields() {
    let shop = Shop::new().await;
    let product = read(&shop, "/api/v2/openapi/product/breakdown").await;
    assert_eq!(read(&shop, "/api/v2/openapi/product/1").await, product);
    assert_eq!(keys(&product), ["form", "info"]);
    assert_eq!(product["form"]["product_id"], 1);
    let asked: Vec<_> = datasets(&product)
        .iter()
        .map(|dataset| {
            let fields = dataset["fields"].as_array().unwrap().iter();
            let names = fields.map(|field| field["name"].as_str().unwrap());
            let multi = if dataset["multi"] == true { "*" } else { "" };
            let identifier = dataset["identifier"].as_str().unwrap();
            (
                format!("{identifier}{multi}"),
                names.collect::<Vec<_>>().join(" "),
            )
        })
        .collect();
    let expected = [
        (
            "cover",
            "cover_type cover_level cover_length excess start_date cover_end_date",
        ),
        (
            "policyholder",
            "title first_name middle_name last_name date_of_birth email_primary tel_primary \
             gsm_primary postcode_primary address_primary",
        ),
        (
            "vehicles*",
            "vehicle_type vehicle_registration vehicle_registration_date vehicle_make \
             vehicle_model vehicle_colour",
        ),
        ("persons*", "title first_name last_name date_of_birth"),
        ("trips*", "trip_destination trip_start_date trip_end_date"),
        ("extras", "motor_legal_protection key_cover"),
        ("declarations", "terms_and_conditions marketing_contact"),
    ];
    let expected = expected.map(|(identifier, names)| (identifier.to_string(), names.to_string()));
    assert_eq!(asked, expected);
    let counted = ["vehicles", "persons", "trips"].map(|identifier| {
        let mut all = datasets(&product).iter();
        all.find(|dataset| dataset["identifier"] == identifier)
            .unwrap()["count_field"]
            .clone()
    });
    assert_eq!(
        counted,
        ["number_of_vehicles", "number_of_persons", "number_of_trips"]
    );
}

#[tokio::test]
async fn a_field_has_its_value_visibility_display_only_locked_errors_and_rateable() {
    let shop = Shop::new().await;
    let product = read(&shop, "/api/v2/openapi/product/breakdown").await;
    for dataset in datasets(&product) {
        for field in dataset["fields"].as_array().unwrap() {
            assert!(field.as_object().unwrap().contains_key("value"), "{field}");
            for flag in ["visible", "display_only", "locked", "rateable"] {
                assert!(field[flag].is_boolean(), "{flag} of {field}");
            }
            assert_eq!(field["errors"], json!([]));
        }
    }
    assert_eq!(field(&product, "start_date")["value"], "22.11.2026");
    // A computed field can't be typed.
    assert_eq!(field(&product, "cover_end_date")["display_only"], true);
    assert_eq!(field(&product, "start_date")["display_only"], false);
    let rated = |name: &str| field(&product, name)["rateable"] == true;
    for name in [
        "cover_type",
        "cover_level",
        "cover_length",
        "excess",
        "start_date",
        "vehicle_type",
        "vehicle_registration_date",
        "trip_end_date",
        "key_cover",
    ] {
        assert!(rated(name), "{name}");
    }
    for name in ["first_name", "vehicle_registration", "terms_and_conditions"] {
        assert!(!rated(name), "{name}");
    }
}

#[tokio::test]
async fn the_options_of_the_enumerations_have_their_ids() {
    let shop = Shop::new().await;
    let product = read(&shop, "/api/v2/openapi/product/breakdown").await;
    for (name, options) in [
        ("cover_type", json!([[1, "Personal"], [2, "Vehicle"]])),
        ("excess", json!([[1, "Yes"], [2, "No"]])),
        (
            "cover_level",
            json!([
                [1, "Local"],
                [2, "Local and home"],
                [3, "National"],
                [4, "National and home"],
                [5, "European"],
            ]),
        ),
        ("cover_length", json!([[1, "Annual"], [2, "Single trip"]])),
        ("vehicle_type", json!([[1, "Car"], [2, "Van"], [3, "Bike"]])),
    ] {
        let read = field(&product, name)["options"].as_array().unwrap().iter();
        let read: Vec<_> = read
            .map(|option| json!([option["value"], option["text"]]))
            .collect();
        assert_eq!(Value::Array(read), options, "{name}");
    }
}

#[tokio::test]
async fn stepper_data_has_its_steps_by_context_the_default_and_what_activates_others() {
    let shop = Shop::new().await;
    let path = "/api/v2/openapi/product/breakdown/stepper";
    let stepper = read(&shop, path).await;
    assert_eq!(
        keys(&stepper),
        ["activatedBy", "default", "product_steps", "title"]
    );
    let default = stepper["default"].as_str().unwrap();
    let steps = |of: &Value| {
        let steps = of["steps"].as_array().unwrap().iter();
        steps
            .map(|step| json!([step["number"], step["title"]]))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        steps(&stepper["product_steps"][default]),
        [
            json!([1, "Cover type"]),
            json!([2, "Your details"]),
            json!([3, "Options"]),
            json!([4, "Payment"])
        ]
    );
    // The fields that the first step's validation leaves out (part 5).
    assert_eq!(
        stepper["product_steps"][default]["steps"][0]["skip"],
        json!([
            "start_date",
            "cover_end_date",
            "cover_length",
            "persons.title",
            "persons.first_name",
            "persons.last_name",
            "persons.date_of_birth",
        ])
    );
    let in_context = read(&shop, &format!("{path}/{default}")).await;
    assert_eq!(in_context["product_steps"], stepper["product_steps"]);

    let gadget = read(&shop, "/api/v2/openapi/product/gadget/stepper").await;
    let essentials = &gadget["activatedBy"]["values"]["essentials"];
    assert!(essentials["title"].is_string());
    assert_eq!(steps(&essentials["product_steps"]["quote"]).len(), 3);
}

#[tokio::test]
async fn the_statuses_of_quotes_have_the_specifications_ids() {
    let shop = Shop::new().await;
    let listed = read(&shop, "/api/v1/quote/statuses").await;
    let listed = listed["data"].as_array().unwrap().iter();
    let listed: Vec<_> = listed
        .map(|status| json!([status["status_id"], status["status_title"]]))
        .collect();
    assert_eq!(
        listed,
        [
            json!([1, "Quote"]),
            json!([2, "Draft"]),
            json!([5, "Live"]),
            json!([7, "Referred"]),
            json!([8, "Cancelled"]),
            json!([9, "Change in progress"]),
            json!([14, "Not taken up"]),
            json!([15, "Expired"]),
            json!([16, "Renewed"]),
            json!([30, "Partial quote"]),
            json!([31, "Declined"]),
            json!([32, "Lapsed"]),
        ]
    );
}

#[tokio::test]
async fn a_quote_is_created_and_read_by_the_specifications_names() {
    let shop = Shop::new().await;
    let mut product = two_vehicles();
    // Counts are computed. A client's number is ignored.
    product["values"]["number_of_vehicles"] = json!(9);
    let body = json!({ "product": product });
    let made = shop.post("/api/v2/openapi/quote/breakdown", &body);
    let made = made.answers(StatusCode::CREATED).await;
    let (uuid, token) = (made.text("/data/uuid"), made.text("/data/consumer_token"));
    let save = shop.put(&format!("/api/v1/quote/{uuid}"), &body);
    let saved = save.bearer(&token).succeeds().await;
    assert_eq!(saved.text("/data/uuid"), uuid);
    for path in ["public", "openapi"] {
        let read = shop.get(&format!("/api/v2/{path}/quote/read/{uuid}"));
        let read = read.bearer(&token).succeeds().await;
        let data = read.at("/data");
        let named = ["form", "info", "multi", "values", "versions"];
        let ours = [
            "auto_renew",
            "exclusion_answers",
            "exclusions",
            "payment_frequency",
            "plan",
        ];
        assert!(named.iter().all(|name| data.get(name).is_some()));
        assert_eq!(keys(data).len(), named.len() + ours.len());
        assert!(ours.iter().all(|name| data.get(name).is_some()));
        let info = &data["info"];
        assert_eq!(info["product_identifier"], "breakdown");
        assert_eq!(info["custom_id"], made.body["data"]["custom_id"]);
        assert_eq!(info["status_id"], 1);
        assert_eq!(info["uuid"], uuid.as_str());
        assert_eq!(info["dates"]["inception"], "2026-11-25");
        assert_eq!(info["dates"]["expiry"], "2027-11-24");
        assert_eq!(info["revision_id"], 2);
        assert!(info["price"]["amount_total"].as_f64().unwrap() > 0.0);
        assert_eq!(info["flags"]["buyable"], true);
        for none in ["aggregator", "consumer_token"] {
            assert_eq!(info.get(none), Some(&Value::Null), "{none}");
        }
        assert_eq!(
            data["multi"]["vehicles"][1]["vehicle_registration"],
            "K1 NGS"
        );
        assert_eq!(data["values"]["cover_type"], 2);
        assert_eq!(data["values"]["number_of_vehicles"], 2);
        assert!(data["form"]["datasets"].is_array());
        let versions = data["versions"].as_array().unwrap().iter();
        let mut versions: Vec<_> = versions
            .map(|version| version["policy_revision_id"].as_u64().unwrap())
            .collect();
        versions.sort_unstable();
        assert_eq!(versions, [1, 2]);
    }
}

#[tokio::test]
async fn prices_are_read_by_the_specifications_names() {
    let shop = Shop::new().await;
    let ask = async |path: &str, product: Value| {
        let named = &product["product_identifier"];
        let body = json!({ "product_identifier": named, "product": product, "quote_ready": true });
        let answer = shop.post(path, &body).send().await;
        answer.expect(StatusCode::OK).at("/data").clone()
    };
    let price = ask("/api/v1/price", two_gadgets()).await;
    let figures = &price["figures"];
    assert_eq!(figures["amount_taxed"], 163.5);
    assert_eq!(figures["additional_charges"], json!([]));
    assert_eq!(figures["amount_total"], figures["amount_taxed"]);

    let monthly = ask("/api/v1/monthly-price", two_vehicles()).await;
    assert_eq!(keys(&monthly), ["pf", "plan"]);
    let plan = &monthly["pf"];
    let pence = |name: &str| (plan[name].as_f64().unwrap() * 100.0).round() as i64;
    let months = pence("instalment_amount") * (plan["instalments"].as_i64().unwrap() - 1);
    let sum = pence("deposit") + months + pence("last_instalment_amount");
    assert_eq!(sum, pence("total"));
    // Paying monthly is free of charge.
    let whole = ask("/api/v1/price", two_vehicles()).await;
    assert_eq!(plan["total"], whole["figures"]["amount_total"]);
    for none in ["charge", "flat_rate", "apr"] {
        assert_eq!(plan[none].as_f64(), Some(0.0), "{none}");
    }
}

#[tokio::test]
async fn a_profile_has_the_specifications_fields() {
    let shop = Shop::new().await;
    let (ann, cookie) = shop.customer().await;
    let profile = shop.profile(&cookie).await.expect(StatusCode::OK).body;
    let mut expected = vec![
        "address_primary",
        "country_id",
        "email_primary",
        "user_username",
        "fax_primary",
        "first_name",
        "gsm_primary",
        "last_name",
        "middle_name",
        "postcode_primary",
        "tel_primary",
        "title_id",
        "user_id",
        "user_uuid",
        // Fields beyond the specification.
        "email_pending",
        "marketing_contact",
    ];
    expected.sort_unstable();
    assert_eq!(keys(&profile), expected);
    assert_eq!(profile["email_primary"], ann.as_str());
    for known in ["first_name", "last_name", "user_id", "user_uuid"] {
        assert!(profile[known].is_string(), "{known}");
    }
}
