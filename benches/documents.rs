//! Measures documents a second on two threads after a warm-up, and their memory.
//!
//! `cargo bench --bench documents`. The goals: 100 a second, and at most 150 MB above idle.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use chrono::NaiveDate;
use layby::documents::data::{
    Addressee, Amount, Date, GroupTable, Head, HelpLine, Points, Schedule, ShopDetails, Sum,
    TableRow,
};
use layby::documents::{DocumentTemplate, PdfRenderer};

const THREADS: usize = 2;
const WARM: u32 = 20;
const FOR: Duration = Duration::from_secs(10);

/// Returns a schedule of two vehicles and two pages, different for each number.
fn schedule(number: u32) -> Schedule {
    let row = |label: &str, value: String| TableRow::new(label, value);
    let amount = |label: &str, pence: u32| Amount {
        label: label.into(),
        amount: format!("£{}.{:02}", pence / 100, pence % 100),
        note: None,
    };
    Schedule {
        head: Head {
            shop: ShopDetails {
                brand: "layby".into(),
                phone: "01632 960 123".into(),
                assistance_phone: "01632 960 999".into(),
                email: "help@layby.example".into(),
                hours: "9am to 5pm Monday to Friday".into(),
                website: "https://layby.example".into(),
                address: vec!["1 Example Street".into(), "Exampleton".into()],
                regulatory: vec!["layby is authorised and regulated.".into()],
                complaints: "If something has gone wrong, please tell us.".into(),
            },
            help: HelpLine {
                phone: "01632 960 999".into(),
                answered: Some("At any hour".into()),
            },
            title: "Policy Schedule".into(),
            product: "Vehicle breakdown cover".into(),
            version: "1".into(),
            reference: Some(format!("BRK{number:09}")),
            date: Date::from(NaiveDate::from_ymd_opt(2026, 11, 21).unwrap()),
            sample: true,
        },
        to: Addressee {
            name: format!("Ann Other the {number}th"),
            lines: vec![format!("{number} High Street"), "LS6 1AB".into()],
        },
        cover: vec!["National cover".into(), "Unlimited callouts".into()],
        period: vec![
            row("Policy number", format!("BRK{number:09}")),
            row("First day", "25 November 2026".into()),
            row("Last day", "24 November 2027".into()),
        ],
        monthly_payments: None,
        groups: vec![
            GroupTable {
                title: "Your cover".into(),
                noun: String::new(),
                rows: (0..8)
                    .map(|place| row(&format!("Question {place}"), format!("{number}")))
                    .collect(),
                columns: Vec::new(),
                records: Vec::new(),
            },
            GroupTable {
                title: "Your vehicles".into(),
                noun: "vehicle".into(),
                rows: Vec::new(),
                columns: ["Type", "Registration", "First registered"]
                    .map(Into::into)
                    .to_vec(),
                records: (0..2)
                    .map(|_| vec!["Car".into(), format!("AB{number}"), "01/03/2012".into()])
                    .collect(),
            },
        ],
        price: Sum {
            lines: vec![amount("National cover", number), amount("Tax", number)],
            total: "£111.23".into(),
        },
        changed: false,
        declared: vec![Points {
            title: "What you declared".into(),
            intro: String::new(),
            points: vec!["My answers are true.".into(); 5],
        }],
    }
}

/// Returns the memory of this process, MB. Returns `None` if the system does not report it.
fn memory() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let resident: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(resident * 4096 / 1_000_000)
}

fn main() {
    let idle = memory();
    let renderer = Arc::new(PdfRenderer::new(None));
    let began = Instant::now();
    renderer
        .print(DocumentTemplate::Schedule, &schedule(0))
        .unwrap();
    println!("the first document: {:?}", began.elapsed());
    for number in 1..WARM {
        renderer
            .print(DocumentTemplate::Schedule, &schedule(number))
            .unwrap();
    }
    let next = Arc::new(AtomicU32::new(WARM));
    let began = Instant::now();
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let (renderer, next) = (renderer.clone(), next.clone());
            std::thread::spawn(move || {
                let mut most = 0;
                while began.elapsed() < FOR {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    renderer
                        .print(DocumentTemplate::Schedule, &schedule(number))
                        .unwrap();
                    most = most.max(memory().unwrap_or_default());
                }
                most
            })
        })
        .collect();
    let most = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .max();
    let made = next.load(Ordering::Relaxed) - WARM;
    let second = f64::from(made) / began.elapsed().as_secs_f64();
    println!("{second:.0} documents a second on {THREADS} threads");
    if let (Some(idle), Some(most)) = (idle, most) {
        println!(
            "{most} MB at the most, {} MB above idle ({idle} MB)",
            most - idle.min(most)
        );
    }
}
