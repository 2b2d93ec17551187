//! Invented people, addresses and vehicles. Names and places come from lists. Mail addresses are at
//! example.org, which receives no mail.

use chrono::{Datelike, Days, NaiveDate};
use rand::prelude::*;
use rand::rngs::StdRng;

use crate::domain::account::Profile;

const FIRST_NAMES: &str = "\
    Amelia, Oliver, Isla, George, Aisha, Harry, Priya, Noah, Grace, Jack, Freya, Leo, Zainab, \
    Arthur, Mia, Muhammad, Ivy, Oscar, Florence, Theo, Niamh, Callum, Siân, Rhys, Eilidh, Hamish, \
    Zoë, José, Chloe, Ravi, Hannah, Tomasz, Ling, Kwame, Martha, Edward, Rosie, Ibrahim, Beth, \
    Alun";

const LAST_NAMES: &str = "\
    Smith, Jones, Williams, Taylor, Khan, Brown, Davies, Evans, Wilson, Thomas, Patel, Johnson, \
    Roberts, Walker, O’Neill, Wright, Thompson, Hughes, Begum, Green, Hall, MacDonald, Clarke, \
    Fraser, Llewellyn, Ó Briain, Cooper, Ward, Nowak, Singh, Turner, Hill, Scott, Okafor, Baker, \
    Fitzgerald-Moore, Chen, Murphy, Bailey, García";

const STREETS: &str = "\
    High Street, Station Road, Church Lane, Mill Road, Victoria Road, Park Avenue, The Green, \
    Orchard Close, Kings Road, School Lane, Chapel Street, North Parade, Bridge Street, Manor Way, \
    Alexandra Terrace, Elm Grove, Queensway, Hill View, Castle Street, Riverside";

/// Towns, each with its postcode district.
const TOWNS: &str = "\
    Leeds LS6, Bristol BS3, Norwich NR2, Cardiff CF14, Glasgow G12, Belfast BT9, Exeter EX4, \
    Sheffield S10, Brighton BN1, Lincoln LN2, Swansea SA1, Dundee DD2, Carlisle CA2, Derby DE22, \
    Oxford OX4, Plymouth PL4, Stirling FK8, York YO24, Bath BA2, Chester CH3";

/// Letters of a postcode's last part.
const INWARD: &[u8] = b"ABDEFGHJLNPQRSTUWXYZ";
/// Letters of the last part of a registration mark.
const SERIAL: &[u8] = b"ABCDEFGHJKLMNOPRSTUVWXYZ";
/// First letters of a registration mark.
const MEMORY: &str = "\
    AB, BD, CE, DA, EA, FJ, GN, HW, KP, LB, MA, NA, OE, PO, RX, SA, VK, WF, YC, LN";

/// Returns a random item of a list. The list is never empty.
fn pick_from(rng: &mut StdRng, list: &'static str) -> &'static str {
    let all: Vec<&str> = list.split(", ").collect();
    all.choose(rng).copied().unwrap_or_default()
}

pub(in crate::app) fn first_name(rng: &mut StdRng) -> String {
    pick_from(rng, FIRST_NAMES).to_string()
}

pub(in crate::app) fn last_name(rng: &mut StdRng) -> String {
    pick_from(rng, LAST_NAMES).to_string()
}

/// Returns a mobile number that libphonenumber accepts.
pub(in crate::app) fn mobile(rng: &mut StdRng) -> String {
    format!("+447400{:06}", rng.random_range(100_000..1_000_000))
}

fn letters(rng: &mut StdRng, from: &[u8], count: usize) -> String {
    (0..count)
        .filter_map(|_| from.choose(rng).map(|letter| char::from(*letter)))
        .collect()
}

/// Returns a random customer. `number` makes the mail address unique.
pub(in crate::app) fn customer(rng: &mut StdRng, number: u32) -> Profile {
    let (first, last) = (first_name(rng), last_name(rng));
    let (town, district) = pick_from(rng, TOWNS).split_once(' ').unwrap_or_default();
    let house = rng.random_range(1..180);
    let street = pick_from(rng, STREETS);
    Profile {
        title_id: Some(rng.random_range(1..=4)),
        email_primary: Some(email(&first, &last, number)),
        first_name: Some(first),
        middle_name: None,
        last_name: Some(last),
        address_primary: Some(format!("{house} {street}\n{town}")),
        postcode_primary: Some(format!(
            "{district} {}{}",
            rng.random_range(1..10),
            letters(rng, INWARD, 2)
        )),
        tel_primary: Some(mobile(rng)),
        gsm_primary: None,
        fax_primary: None,
        country_id: None,
    }
}

fn email(first: &str, last: &str, number: u32) -> String {
    let plain = |name: &str| {
        name.chars()
            .filter_map(|c| match c {
                'â' => Some('a'),
                'ë' | 'é' => Some('e'),
                'í' => Some('i'),
                'Ó' => Some('o'),
                c if c.is_ascii_alphabetic() => Some(c.to_ascii_lowercase()),
                _ => None,
            })
            .collect::<String>()
    };
    format!("{}.{}{number}@example.org", plain(first), plain(last))
}

/// Returns a valid registration mark in the style since 2001, for a vehicle first registered on
/// `registered`.
pub(in crate::app) fn registration(rng: &mut StdRng, registered: NaiveDate) -> String {
    let year = registered.year() % 100;
    let age = match registered.month() {
        1 | 2 => year + 49,
        3..=8 => year,
        _ => year + 50,
    };
    format!(
        "{}{age:02} {}",
        pick_from(rng, MEMORY),
        letters(rng, SERIAL, 3)
    )
}

/// Returns a random day from `from` to `to`, both included. Returns `from` if `to` is earlier.
pub(in crate::app) fn day_between(rng: &mut StdRng, from: NaiveDate, to: NaiveDate) -> NaiveDate {
    let days = (to - from).num_days();
    if days <= 0 {
        return from;
    }
    let ahead = rng.random_range(0..=days).unsigned_abs();
    from.checked_add_days(Days::new(ahead)).unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::uk;

    #[test]
    fn made_up_people_pass_our_own_checks() {
        let mut rng = StdRng::seed_from_u64(7);
        let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        for number in 0..500 {
            let person = customer(&mut rng, number);
            let postcode = person.postcode_primary.unwrap();
            assert!(uk::postcode::check(&postcode).is_some(), "{postcode}");
            let from = NaiveDate::from_ymd_opt(2002, 3, 1).unwrap();
            let registered = day_between(&mut rng, from, today);
            let registration = registration(&mut rng, registered);
            assert!(
                uk::registration::check(&registration, today).is_ok(),
                "{registration}"
            );
        }
    }
}
