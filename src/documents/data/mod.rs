//! What templates are given. Amounts and dates are ready to be read: `£42.50`,
//! `21 November 2026`. docs/OPERATING.md lists the same for whoever writes a template.

mod of_policy;
mod of_product;
mod parts;

pub use of_policy::{
    AdjustmentDocument, CancellationDocument, ChangeRow, DemandsAndNeeds, Direction, Receipt,
    RenewalNotice, Schedule,
};
pub use of_product::{Heading, Ipid, Mark, Part, Point, Section, Term, Wording};
pub use parts::{
    Addressee, Amount, Date, GroupTable, Head, HelpLine, Points, Row, Shop, Sum, format_long,
};
