//! Invented vehicles and addresses, so that an operator can try the shop. Equal queries give equal
//! results. Some marks and postcodes simulate cases of real services; docs/OPERATING.md lists them.

use chrono::{Datelike, Months, NaiveDate};

use super::fault::LookupFault;
use crate::domain::quote::lookup::{Address, Mot, MotStatus, Source, Tax, TaxStatus, Vehicle};
use crate::domain::uk::plate_age;

/// Make, model and fuel.
const VEHICLES: [(&str, &str, &str); 12] = [
    ("Ford", "Fiesta", "Petrol"),
    ("Vauxhall", "Corsa", "Petrol"),
    ("Volkswagen", "Golf", "Diesel"),
    ("Nissan", "Qashqai", "Petrol"),
    ("Toyota", "Yaris", "Hybrid electric"),
    ("Kia", "Picanto", "Petrol"),
    ("Tesla", "Model 3", "Electricity"),
    ("BMW", "320d", "Diesel"),
    ("Skoda", "Octavia", "Diesel"),
    ("Hyundai", "i10", "Petrol"),
    ("Honda", "Jazz", "Hybrid electric"),
    ("Peugeot", "208", "Petrol"),
];
const COLOURS: [&str; 8] = [
    "Red", "Blue", "Black", "White", "Grey", "Silver", "Green", "Orange",
];
const STREETS: [&str; 8] = [
    "Acacia Avenue",
    "Station Road",
    "Mill Lane",
    "Church Street",
    "Orchard Close",
    "Victoria Terrace",
    "Kingfisher Drive",
    "Old Market Place",
];
/// Post towns by the area of the postcode.
const TOWNS: [(&str, &str); 24] = [
    ("AB", "Aberdeen"),
    ("B", "Birmingham"),
    ("BA", "Bath"),
    ("BN", "Brighton"),
    ("BS", "Bristol"),
    ("BT", "Belfast"),
    ("CF", "Cardiff"),
    ("E", "London"),
    ("EC", "London"),
    ("EH", "Edinburgh"),
    ("G", "Glasgow"),
    ("L", "Liverpool"),
    ("LS", "Leeds"),
    ("M", "Manchester"),
    ("N", "London"),
    ("NE", "Newcastle upon Tyne"),
    ("NW", "London"),
    ("OX", "Oxford"),
    ("S", "Sheffield"),
    ("SE", "London"),
    ("SW", "London"),
    ("W", "London"),
    ("WC", "London"),
    ("YO", "York"),
];

/// Returns an invented vehicle. If its mark has an age, the vehicle was first registered in the
/// period of the mark.
pub(super) fn vehicle(mark: &str, today: NaiveDate) -> Result<Vehicle, LookupFault> {
    let chance = number_of(mark);
    match mark {
        "ER19 NFD" | "ER19 BAD" => return Err(LookupFault::Unknown(Vec::new())),
        "ER19 THR" | "ER19 ERR" | "ER19 MNT" => return Err(LookupFault::Unavailable),
        _ => {}
    }
    let first = first_registered(mark, chance, today);
    let (make, model, fuel) = match mark {
        "AA19 EEE" => ("Nissan", "Leaf", "Electricity"),
        _ => pick(&VEHICLES, chance),
    };
    let tax = match mark {
        "AA19 SRN" => tax(TaxStatus::Sorn, None),
        "L2 WPS" => tax(TaxStatus::Untaxed, today.checked_sub_months(Months::new(2))),
        _ => tax(TaxStatus::Taxed, today.checked_add_months(Months::new(5))),
    };
    let mot = match mark {
        "AA19 AAA" => None,
        "AA12 MOT" => mot(MotStatus::Expired, today.checked_sub_months(Months::new(1))),
        _ => mot_of(first, chance, today),
    };
    Ok(Vehicle {
        registration: mark.to_owned(),
        make: Some(make.to_owned()),
        model: Some(model.to_owned()),
        colour: Some(pick(&COLOURS, chance / 16).to_owned()),
        fuel: Some(fuel.to_owned()),
        first_registered: first,
        mot,
        tax,
        source: Source::Sample,
    })
}

#[allow(clippy::unnecessary_wraps, reason = "as a vehicle has it")]
fn tax(status: TaxStatus, until: Option<NaiveDate>) -> Option<Tax> {
    Some(Tax { status, until })
}

#[allow(clippy::unnecessary_wraps, reason = "as a vehicle has it")]
fn mot(status: MotStatus, until: Option<NaiveDate>) -> Option<Mot> {
    Some(Mot { status, until })
}

/// Returns an MOT that is first due three years after the first registration. After that day, the
/// MOT is valid for another 1 to 11 months. Returns `None` without a first registration.
fn mot_of(first: Option<NaiveDate>, chance: u32, today: NaiveDate) -> Option<Mot> {
    let due = first?.checked_add_months(Months::new(36))?;
    if due > today {
        return mot(MotStatus::NotDue, Some(due));
    }
    let months = 1 + chance % 11;
    mot(
        MotStatus::Valid,
        today.checked_add_months(Months::new(months)),
    )
}

fn first_registered(mark: &str, chance: u32, today: NaiveDate) -> Option<NaiveDate> {
    let Some((from, until)) = plate_age::issue_dates(mark) else {
        let year = today.year() - 2 - i32::try_from(chance % 10).ok()?;
        return NaiveDate::from_ymd_opt(year, 1 + chance / 16 % 12, 1);
    };
    let until = until.min(today);
    let months = (until.year() - from.year()) * 12 + until.month0().cast_signed()
        - from.month0().cast_signed();
    let months = u32::try_from(months).ok()?;
    from.checked_add_months(Months::new(chance / 16 % (months + 1)))
}

/// Returns twelve houses, two flats and a named house in one street. Some postcodes give other
/// results; docs/OPERATING.md lists them.
pub(super) fn addresses(postcode: &str) -> Result<Vec<Address>, LookupFault> {
    let (outward, inward) = postcode.split_once(' ').unwrap_or_default();
    let letters = outward.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let area = outward.get(..letters).unwrap_or_default();
    match (area, inward) {
        ("JE" | "GY" | "IM", _) => return Err(LookupFault::Unknown(Vec::new())),
        (_, "9ZZ") => return Err(LookupFault::Unknown(vec![format!("{outward} 1AA")])),
        (_, "9YY") => return Err(LookupFault::Unavailable),
        _ => {}
    }
    let town = TOWNS.iter().find(|(candidate, _)| *candidate == area);
    let town = town.map_or("Exampleton", |(_, town)| town);
    let street = pick(&STREETS, number_of(postcode));
    let one = |id: usize, line1: String, line2: Option<String>| {
        let address = Address {
            id: id.to_string(),
            label: String::new(),
            line1,
            line2,
            line3: None,
            town: town.to_owned(),
            postcode: postcode.to_owned(),
            latitude: None,
            longitude: None,
            sample: true,
        };
        address.labelled()
    };
    let houses = match inward {
        "9TT" => 1,
        "9WW" => 500,
        _ => 12,
    };
    let mut all: Vec<_> = (1..=houses)
        .map(|house| one(house, format!("{house} {street}"), None))
        .collect();
    if houses == 12 {
        for flat in 1..=2 {
            let line2 = Some(format!("14 {street}"));
            all.push(one(all.len() + 1, format!("Flat {flat}"), line2));
        }
        let line2 = Some(street.to_owned());
        all.push(one(all.len() + 1, "The Old Bakery".to_owned(), line2));
    }
    Ok(all)
}

/// Returns a number that depends only on the text.
fn number_of(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
    }) >> 4
}

fn pick<T: Copy + Default, const N: usize>(list: &[T; N], chance: u32) -> T {
    let index = usize::try_from(chance).unwrap_or(0) % N;
    list.get(index).copied().unwrap_or_default()
}
