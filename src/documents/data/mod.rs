//! The data of the templates. Amounts and dates are formatted for the reader: `£42.50`, `21
//! November 2026`. Authors of templates find the names of the data in this folder;
//! docs/OPERATING.md refers to it.

mod parts;
mod policy;
mod product;

pub use parts::{
    Addressee, Amount, Date, GroupTable, Head, HelpLine, Points, ShopDetails, Sum, TableRow,
    format_long,
};
pub use policy::{
    AdjustmentDocument, CancellationDocument, ChangeRow, DemandsAndNeeds, PaymentPlanDocument,
    PlanPaymentRow, PriceDirection, Receipt, RenewalNotice, Schedule,
};
pub use product::{CoverPart, DefinedTerm, Heading, Ipid, Mark, TextPoint, TextSection, Wording};
