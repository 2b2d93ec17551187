//! Letters by an operator's own template.

use chrono::TimeDelta;

use crate::support::{Shop, two_vehicles};

#[tokio::test]
async fn an_operators_template_writes_the_letter_in_both_forms() {
    let folder = tempfile::tempdir().unwrap();
    let own = "{% block subject %}Welcome to {{ shop.brand }}: {{ reference }}{% endblock %}\n\
        {% block title %}Welcome{% endblock %}\n\
        {% block body %}\nTerms & conditions\napply to {{ product }}.\n\nThank you.\n{% endblock %}\n\
        {% block facts %}Yours until: {{ open_until }}{% endblock %}\n";
    std::fs::write(folder.path().join("quote-saved.txt"), own).unwrap();
    let settings = format!("[mail]\ntemplates = {:?}\n", folder.path());
    let shop = Shop::configured(&settings).await;
    shop.quote(&two_vehicles()).await;
    shop.clock.advance(TimeDelta::seconds(31));
    shop.work().await;
    let letter = shop.letters().remove(0);
    assert!(letter.subject.starts_with("Welcome to layby: BRK"));
    for part in [
        "Terms & conditions apply to Vehicle breakdown cover.",
        ">Terms &amp; conditions apply to Vehicle breakdown cover.</p>",
        "\r\nYours until: 2",
        ">Yours until</th>",
    ] {
        assert!(
            letter.text.contains(part),
            "{part} isn't in\n{}",
            letter.text
        );
    }
}
