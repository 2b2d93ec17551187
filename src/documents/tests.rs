use std::fs;

use chrono::NaiveDate;

use super::data::*;
use super::{DocumentTemplate, PdfRenderer, RenderError};

fn head(title: &str) -> Head {
    Head {
        shop: ShopDetails {
            brand: "layby".into(),
            phone: "01632 960 123".into(),
            assistance_phone: "01632 960 999".into(),
            email: "help@layby.example".into(),
            hours: "9am to 5pm Monday to Friday".into(),
            website: "https://layby.example".into(),
            address: vec!["1 Example Street".into(), "Exampleton".into()],
            regulatory: vec![
                "layby is authorised and regulated by the Financial Conduct Authority.".into(),
            ],
            complaints: "Tell us.".into(),
        },
        help: HelpLine {
            phone: "01632 960 999".into(),
            answered: Some("At any hour".into()),
        },
        title: title.into(),
        product: "Vehicle breakdown cover".into(),
        version: "1".into(),
        reference: Some("BRK000000123".into()),
        date: NaiveDate::from_ymd_opt(2026, 11, 21).unwrap().into(),
        sample: true,
    }
}

/// Returns an addressee whose name contains Typst markup.
fn to() -> Addressee {
    Addressee {
        name: "#panic() *bold* $x$ <a> @b O’Neill".into(),
        lines: vec!["1 High Street".into(), "LS6 1AB".into()],
    }
}

fn amounts(lines: &[(&str, &str)]) -> Vec<Amount> {
    let amount = |(label, amount): &(&str, &str)| Amount {
        label: (*label).into(),
        amount: (*amount).into(),
        note: None,
    };
    lines.iter().map(amount).collect()
}

fn adjustment(direction: PriceDirection) -> AdjustmentDocument {
    AdjustmentDocument {
        head: head("Your policy has changed"),
        to: to(),
        effective: "1 March 2027".into(),
        whole: vec!["Removed: FX66 KLM, van".into()],
        changes: vec![
            ChangeRow {
                label: "Key cover".into(),
                before: String::new(),
                after: "Yes".into(),
            },
            ChangeRow {
                label: "Registration number".into(),
                before: "AB12 CDE".into(),
                after: "K1 NGS".into(),
            },
        ],
        premium_before: "£48.16".into(),
        premium_after: "£84.16".into(),
        share: "Charged for 268 of 365 days.".into(),
        sum: Sum {
            lines: amounts(&[
                ("Price before, for the days left", "-£35.36"),
                ("Price now, for the days left", "£61.79"),
            ]),
            total: "£26.43".into(),
        },
        direction,
        money_notes: vec!["£26.43 goes back to the card it came from.".into()],
    }
}

fn cancellation(refunded: bool) -> CancellationDocument {
    CancellationDocument {
        head: head("Your policy has ended"),
        to: to(),
        effective: "1 March 2027".into(),
        last_day: if refunded {
            "28 February 2027".into()
        } else {
            String::new()
        },
        is_immediate: !refunded,
        never: false,
        dropped: if refunded {
            "The change that was agreed for 3 March 2027 does not come.".into()
        } else {
            String::new()
        },
        reason: "I have sold the vehicle".into(),
        not_taken_up: !refunded,
        is_by_shop: false,
        stopped: "We do not collect the 11 monthly payments that were left, £44.11 in all.".into(),
        is_earned: true,
        refund: Sum {
            lines: amounts(&[("Paid", "£48.16"), ("Days you were covered", "-£12.80")]),
            total: "£35.36".into(),
        },
        refunded,
        money_notes: vec!["£35.36 goes back to the card it came from.".into()],
    }
}

fn plan_payments() -> Vec<PlanPaymentRow> {
    let payment = |(day, is_paid): (&str, bool)| PlanPaymentRow {
        day: day.into(),
        amount: "£25.20".into(),
        is_paid,
    };
    [("24 November 2027", true), ("24 December 2027", false)]
        .map(payment)
        .into()
}

fn plan(is_known: bool) -> PaymentPlanDocument {
    PaymentPlanDocument {
        head: head("Payment Plan"),
        to: to(),
        payments: plan_payments(),
        total: "£50.40".into(),
        has_card: is_known,
        last_four: is_known.then(|| "4242".into()),
        in_account: is_known,
    }
}

fn renewal(auto_renew: bool) -> RenewalNotice {
    RenewalNotice {
        head: head("Your renewal"),
        to: to(),
        price_last_year: "£48.16".into(),
        price: "£50.40".into(),
        price_new_customer: auto_renew.then(|| "£50.40".into()),
        in_account: auto_renew,
        differences: amounts(&[("Our prices have changed", "£2.24")]),
        starts: "25 November 2027".into(),
        last_day: "24 November 2027".into(),
        auto_renew,
        charge_on: auto_renew.then(|| "24 November 2027".into()),
        payments: if auto_renew {
            plan_payments()
        } else {
            Vec::new()
        },
        cover: vec!["National cover".into()],
    }
}

fn points(mark: Mark) -> Heading {
    Heading {
        title: "What is insured?".into(),
        points: vec![TextPoint {
            mark,
            text: "Help at the roadside".into(),
            only: Some("National".into()),
        }],
    }
}

fn looks_right(pdf: &[u8]) {
    assert!(pdf.starts_with(b"%PDF-1.7"));
    assert!(pdf.len() > 5_000);
}

#[test]
fn letters_to_come_can_be_printed() {
    let renderer = PdfRenderer::new(None);
    for direction in [
        PriceDirection::Paid,
        PriceDirection::Returned,
        PriceDirection::Nothing,
    ] {
        looks_right(
            &renderer
                .print(DocumentTemplate::Adjustment, &adjustment(direction))
                .unwrap(),
        );
    }
    for yes in [true, false] {
        looks_right(
            &renderer
                .print(DocumentTemplate::Cancellation, &cancellation(yes))
                .unwrap(),
        );
        looks_right(
            &renderer
                .print(DocumentTemplate::Renewal, &renewal(yes))
                .unwrap(),
        );
        looks_right(&renderer.print(DocumentTemplate::Plan, &plan(yes)).unwrap());
    }
}

#[test]
fn every_mark_is_a_picture_with_words() {
    let headings = [
        Mark::Tick,
        Mark::Cross,
        Mark::Warning,
        Mark::Place,
        Mark::Dot,
        Mark::Option,
    ];
    let mut headings: Vec<_> = headings.into_iter().map(points).collect();
    headings.extend((headings.len()..9).map(|_| points(Mark::Dot)));
    let ipid = Ipid {
        head: head("Insurance product information document"),
        headings,
    };
    looks_right(
        &PdfRenderer::new(None)
            .print(DocumentTemplate::Ipid, &ipid)
            .unwrap(),
    );
}

#[test]
fn what_no_font_has_is_a_question_mark() {
    let mut notice = renewal(false);
    notice.to.name = "Łukasz 日本 🚗 \u{200F}ש Ελένη \u{0} \u{E000}".into();
    looks_right(
        &PdfRenderer::new(None)
            .print(DocumentTemplate::Renewal, &notice)
            .unwrap(),
    );
}

#[test]
fn the_same_data_is_the_same_file() {
    let renderer = PdfRenderer::new(None);
    let print = || {
        renderer
            .print(DocumentTemplate::Cancellation, &cancellation(true))
            .unwrap()
    };
    assert_eq!(print(), print());
}

#[test]
fn a_mistake_in_a_template_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let renderer = PdfRenderer::new(Some(folder.path().to_owned()));
    let file = folder.path().join("cancellation.typ");
    fs::write(&file, "#import \"look.typ\": *\n\n#no-such-thing\n").unwrap();
    let error = renderer
        .print(DocumentTemplate::Cancellation, &cancellation(true))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cancellation.typ:3: unknown variable: no-such-thing"
    );
    // Other templates still render. The corrected file is read again.
    looks_right(
        &renderer
            .print(DocumentTemplate::Renewal, &renewal(true))
            .unwrap(),
    );
    fs::write(&file, "#import \"look.typ\": *\n#let data = json(\"data.json\")\n#show: paper.with(data.head)\n#title[Gone]\n").unwrap();
    renderer
        .print(DocumentTemplate::Cancellation, &cancellation(true))
        .unwrap();
    fs::remove_file(&file).unwrap();
    looks_right(
        &renderer
            .print(DocumentTemplate::Cancellation, &cancellation(true))
            .unwrap(),
    );
}

#[test]
fn a_mistake_in_the_look_is_told_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("look.typ"),
        "#let paper(head, body) = body\n#let (\n",
    )
    .unwrap();
    let renderer = PdfRenderer::new(Some(folder.path().to_owned()));
    let error = renderer
        .print(DocumentTemplate::Renewal, &renewal(true))
        .unwrap_err();
    let RenderError::Template { file, line, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((file.as_str(), line), ("look.typ", 2));
}

#[test]
fn each_template_is_checked_for_its_first_mistake_of_syntax() {
    assert_eq!(PdfRenderer::new(None).syntax_errors(), []);
    let folder = tempfile::tempdir().unwrap();
    let renderer = PdfRenderer::new(Some(folder.path().to_owned()));
    assert_eq!(renderer.syntax_errors(), []);
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("look.typ", b"#let paper(head, body) = body\n#let (\n");
    write("plan.typ", b"= Plan\n\n#(\n#(\n");
    write("receipt.typ", &[0xff, 0xfe]);
    write("renewal.typ", b"#no-such-thing\n");
    let errors: Vec<_> = renderer
        .syntax_errors()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        errors,
        [
            "receipt.typ:1: file is not valid UTF-8",
            "plan.typ:3: unclosed delimiter",
            "look.typ:2: unclosed delimiter",
        ]
    );
}

#[test]
fn a_document_that_not_everybody_can_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("renewal.typ"),
        "#set text(lang: \"en\")\nNo title.\n",
    )
    .unwrap();
    let renderer = PdfRenderer::new(Some(folder.path().to_owned()));
    let error = renderer
        .print(DocumentTemplate::Renewal, &renewal(true))
        .unwrap_err();
    assert!(error.to_string().starts_with("renewal.typ:1: "), "{error}");
}
