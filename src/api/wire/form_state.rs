//! A quote's form with its answers, in short. It is only described here: it is written by
//! `domain::form::write_state`, for the sake of speed (see [`super::prepared::Prepared`]).

use super::answers::Scalar;
use super::published::answer;

answer! {
    /// A field with its answer.
    pub struct AnsweredField {
        name: String,
        value: Scalar,
        visible: bool,
        display_only: bool,
        locked: bool,
        errors: Vec<String>,
        rateable: bool,
    }
}

answer! {
    /// A dataset with its answers.
    pub struct AnsweredDataset {
        identifier: String,
        title: String,
        visible: bool,
        fields: Vec<AnsweredField>,
    }
}

answer! {
    /// A form with its answers.
    pub struct AnsweredForm {
        product_identifier: String,
        datasets: Vec<AnsweredDataset>,
    }
}
