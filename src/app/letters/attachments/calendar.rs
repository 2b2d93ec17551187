//! The calendar file of a policy (iCalendar, RFC 5545): the start of the cover, and its last day. The website
//! offers the same file on its page after a purchase.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::app::policies::PolicyContext;
use crate::domain::time::dates::add_days;

/// The most bytes of a line, without its end.
const LINE_BYTES: usize = 75;

/// Whether a calendar adds the entries, or removes those of an earlier file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CalendarStatus {
    Confirmed,
    Cancelled,
}

/// Returns the calendar file of a policy. Its entries have the ids of the website's file, so that a calendar
/// has each entry once.
pub(super) fn calendar_file(
    context: &PolicyContext,
    status: CalendarStatus,
    phone: &str,
    page: &str,
    now: DateTime<Utc>,
) -> String {
    let policy = &context.policy;
    let title = &context.product.info().product_title;
    let description = format!(
        "Policy {}. Broken down? Call {phone}.",
        context.quote.reference
    );
    let (method, sequence, word) = match status {
        CalendarStatus::Confirmed => ("PUBLISH", 0, "CONFIRMED"),
        CalendarStatus::Cancelled => ("CANCEL", 1, "CANCELLED"),
    };
    let event = |name: &str, summary: String, times: Vec<String>| {
        let mut lines = vec![
            "BEGIN:VEVENT".to_owned(),
            format!("UID:{}", event_id(policy.uuid, name)),
            format!("DTSTAMP:{}", format_moment(now)),
            format!("SEQUENCE:{sequence}"),
            format!("STATUS:{word}"),
        ];
        lines.extend(times);
        lines.extend([
            format!("SUMMARY:{}", escape(&summary)),
            format!("DESCRIPTION:{}", escape(&description)),
            format!("URL:{page}"),
            "TRANSP:TRANSPARENT".to_owned(),
            "END:VEVENT".to_owned(),
        ]);
        lines
    };
    let last = policy.expiry;
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//layby//cover//EN".to_owned(),
        format!("METHOD:{method}"),
    ];
    lines.extend(event(
        "begins",
        format!("{title} begins"),
        vec![format!("DTSTART:{}", format_moment(policy.cover_begins))],
    ));
    lines.extend(event(
        "ends",
        format!("Last day of {title}"),
        vec![
            format!("DTSTART;VALUE=DATE:{}", format_day(last)),
            format!("DTEND;VALUE=DATE:{}", format_day(add_days(last, 1))),
        ],
    ));
    lines.push("END:VCALENDAR".to_owned());
    lines.iter().map(|line| fold(line) + "\r\n").collect()
}

fn event_id(policy: Uuid, name: &str) -> String {
    format!("{policy}-{name}@layby")
}

fn format_moment(moment: DateTime<Utc>) -> String {
    moment.format("%Y%m%dT%H%M%SZ").to_string()
}

fn format_day(day: NaiveDate) -> String {
    day.format("%Y%m%d").to_string()
}

fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(';', "\\;");
    text.replace(',', "\\,").replace(['\r', '\n'], " ")
}

/// Folds a line into lines of at most [`LINE_BYTES`]. Each further line begins with a space.
fn fold(line: &str) -> String {
    let mut folded = String::new();
    let mut size = 0;
    for sign in line.chars() {
        if size + sign.len_utf8() > LINE_BYTES {
            folded.push_str("\r\n ");
            size = 1;
        }
        folded.push(sign);
        size += sign.len_utf8();
    }
    folded
}
