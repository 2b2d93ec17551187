//! The double's settlement reports.

use serde_json::{Value, json};

use super::api::text;
use super::books::Books;

impl Books {
    /// Pays out what no earlier deposit has paid, less `charges` in pence. Returns the reports of its
    /// transactions and of the deposit.
    pub fn deposit(&mut self, id: &str, charges: i64) -> (Value, Value) {
        let (mut listed, mut sums, mut counts) = (Vec::new(), [0, 0], [0, 0]);
        for one in &mut self.transactions {
            if one["status"] != "CAPTURED" || one.get("_deposit").is_some() {
                continue;
            }
            one["_deposit"] = id.into();
            let kind = usize::from(one["type"] == "REFUND");
            sums[kind] += text(one, "/amount").parse::<i64>().unwrap_or(0);
            counts[kind] += 1;
            let parent = if kind == 1 {
                &one["_payment"]
            } else {
                &one["id"]
            };
            listed.push(json!({
                "id": one["id"],
                "time_created": one["time_created"],
                "status": "FUNDED",
                "type": one["type"],
                "channel": "CNP",
                "amount": one["amount"],
                "currency": one["currency"],
                "reference": one["reference"],
                "parent_resource_id": parent,
                "batch_id": "BAT_1",
                "deposit_id": id,
                "deposit_status": "FUNDED",
                "deposit_time_created": "2026-11-23",
                "payment_method": { "entry_mode": "ECOM", "card": { "brand": "VISA" } },
            }));
        }
        let total = sums[0] - sums[1] - charges;
        let part = |count: i64, amount: i64| {
            let amount = if amount == 0 {
                String::new()
            } else {
                amount.to_string()
            };
            json!({ "count": count, "amount": amount })
        };
        let deposit = json!({
            "id": id,
            "time_created": "2026-11-23",
            "status": "FUNDED",
            "funding_type": if total < 0 { "DEBIT" } else { "CREDIT" },
            "amount": total.abs().to_string(),
            "currency": "GBP",
            "sales": part(counts[0], sums[0]),
            "refunds": part(counts[1], -sums[1]),
            "discounts": part(0, 0),
            "tax": part(0, 0),
            "disputes": { "chargebacks": part(0, 0), "reversals": part(0, 0) },
            "fees": { "amount": charges.to_string() },
        });
        let count = listed.len();
        (
            json!({ "total_record_count": count, "transactions": listed }),
            json!({ "total_record_count": 1, "deposits": [deposit] }),
        )
    }
}
