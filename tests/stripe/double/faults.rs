//! What goes wrong on purpose.

/// How a call goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is done, and this status is answered. As at Stripe, 500 is then the answer to the
    /// idempotency key for ever; 409 and 429 are not.
    Status(u16),
    /// It is done, and the answer never leaves: the caller waits.
    LostAnswer,
    /// It is done, and the connection ends without an answer.
    Reset,
    /// It is done, and half the answer arrives.
    HalfAnswer,
    /// It is done, and 500 is the answer, for ever.
    FailsAfter,
    /// Nothing is done; the connection ends.
    Nothing,
    /// Nothing is done; a proxy's page with this status is answered.
    Html(u16),
}

/// Faults that wait for their calls.
#[derive(Debug, Default)]
pub struct Faults(Vec<(String, Fault)>);

impl Faults {
    /// The next call whose method and path begin with `call`, such as `POST /v1/refunds`, goes wrong.
    pub fn add(&mut self, call: &str, fault: Fault) {
        self.0.push((call.to_owned(), fault));
    }

    /// The fault of this call, which is then used up.
    pub fn take(&mut self, call: &str) -> Option<Fault> {
        let place = self
            .0
            .iter()
            .position(|(begin, _)| call.starts_with(begin))?;
        Some(self.0.remove(place).1)
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Fault {
    /// By its name in the double's own calls: `500`, `lost`, `reset`, `half`, `fails-after`,
    /// `nothing`, `html`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "lost" => Self::LostAnswer,
            "reset" => Self::Reset,
            "half" => Self::HalfAnswer,
            "fails-after" => Self::FailsAfter,
            "nothing" => Self::Nothing,
            "html" => Self::Html(502),
            status => Self::Status(status.parse().ok()?),
        })
    }
}
