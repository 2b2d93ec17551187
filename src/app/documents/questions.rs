//! The questions and answers of the help page.

use serde::Serialize;

use crate::app::App;
use crate::app::documents::render::product_texts::fact;
use crate::app::products::help_line::help_line;
use crate::domain::product::texts;
use crate::json_schema::ResponseSchema;

/// The questions about a product.
#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct ProductHelp {
    identifier: String,
    product_title: String,
    /// The number for a customer who needs the cover.
    phone: String,
    questions: Vec<AnsweredQuestion>,
}

#[derive(Clone, Debug, Serialize, ResponseSchema)]
pub struct AnsweredQuestion {
    question: String,
    answer: String,
}

/// Returns the questions about each product on sale. Leaves out products without questions.
pub fn help(app: &App) -> Vec<ProductHelp> {
    let on_sale = app.products.on_sale(app.clock.today());
    let products = on_sale.iter().map(|registered| &registered.product);
    let asked = products.filter(|product| !product.texts().questions.is_empty());
    let help = asked.map(|product| {
        let fill = |text: &str| texts::fill(text, &|name| fact(app, product, name));
        let questions = product.texts().questions.iter();
        ProductHelp {
            identifier: product.identifier().to_owned(),
            product_title: product.info().product_title.clone(),
            phone: help_line(product, &app.config.site).phone,
            questions: questions
                .map(|asked| AnsweredQuestion {
                    question: fill(&asked.question),
                    answer: fill(&asked.answer),
                })
                .collect(),
        }
    });
    help.collect()
}
