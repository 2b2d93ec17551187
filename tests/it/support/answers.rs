//! Complete sets of answers. Each makes a quote that can be bought.

use serde_json::{Value, json};

/// Returns the name, address and telephone number of the policyholder Ann.
fn ann() -> Value {
    json!({
        "title": 2, "first_name": "Ann", "last_name": "O’Neill",
        "date_of_birth": "03.04.1980", "email_primary": "ann@example.org",
        "tel_primary": "07400 123456", "address_primary": "1 High Street\nLeeds",
        "postcode_primary": "ls6 1ab",
    })
}

/// Returns the policyholder's answers, with `more` added to them.
fn with(more: Value) -> Value {
    let mut values = ann();
    for (name, value) in more.as_object().unwrap() {
        values[name] = value.clone();
    }
    values
}

/// Returns answers for national cover of two vehicles for a year.
pub fn two_vehicles() -> Value {
    json!({
        "product_identifier": "breakdown",
        "values": with(json!({
            "cover_type": 2, "cover_level": 3, "excess": 2, "start_date": "25.11.2026",
        })),
        "multi": { "vehicles": [
            { "vehicle_type": 1, "vehicle_registration": "ab12 cde", "vehicle_registration_date": "01.03.2012" },
            { "vehicle_type": 3, "vehicle_registration": "K1 NGS", "vehicle_registration_date": "01.08.2015" },
        ] },
    })
}

/// Returns the same answers with one of them replaced.
pub fn two_vehicles_with(name: &str, answer: impl Into<Value>) -> Value {
    let mut product = two_vehicles();
    product["values"][name] = answer.into();
    product
}

/// Returns the same answers for a policyholder with this mail address.
pub fn answers_of(address: &str) -> Value {
    two_vehicles_with("email_primary", address)
}

/// Returns answers for European cover of one person on two trips.
pub fn two_trips() -> Value {
    json!({
        "product_identifier": "breakdown",
        "values": with(json!({ "cover_type": 1, "cover_level": 5, "cover_length": 2, "excess": 2 })),
        "multi": { "trips": [
            { "trip_destination": "FR", "trip_start_date": "01.12.2026", "trip_end_date": "05.12.2026" },
            { "trip_destination": "ES", "trip_start_date": "10.12.2026", "trip_end_date": "12.12.2026" },
        ] },
    })
}

/// Returns answers for Complete cover of a phone and a laptop from today, with every declaration made.
pub fn two_gadgets() -> Value {
    let gadget = |kind: &str, make: &str, model: &str, value: u32| {
        json!({
            "gadget_type": kind, "make": make, "model": model, "value": value,
            "purchase_date": "01.10.2026", "working_order": 1, "damaged": 2,
            "proof_of_purchase": 1, "bought_as": "new", "bought_from": "retailer",
        })
    };
    json!({
        "product_identifier": "gadget",
        "values": with(json!({
            "plan": "complete", "start_date": "21.11.2026", "excess": 75, "loss": true,
            "assumptions_confirmed": true,
        })),
        "multi": { "gadgets": [
            gadget("phone", "Apple", "iPhone 16", 799),
            gadget("laptop", "Acer", "Swift Go", 900),
        ] },
    })
}
