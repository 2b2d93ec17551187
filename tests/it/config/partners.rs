//! Settings of the aggregator partners.

use layby::config::{Config, Layers};

use super::file;

fn partner(line: &str) -> String {
    let key = "0".repeat(64);
    format!(
        "[[partners]]\nid = 1\nname = \"A\"\nidentifier = \"a\"\nlogo_url = \"/a.svg\"\n\
         key_sha256 = \"{key}\"\nservices = [\"s\"]\n{line}\n"
    )
}

#[test]
fn partners_are_sections_of_a_settings_file() {
    let layers = |text: String| Layers {
        file: Some(("shop.toml".to_string(), text)),
        ..Layers::default()
    };
    let config = Config::load(&layers(partner(""))).unwrap();
    assert_eq!(config.partners.len(), 1);
    assert_eq!(config.partners[0].requests_per_minute, 600);
    assert!(
        Config::load(&Layers::default())
            .unwrap()
            .partners
            .is_empty()
    );
    for (text, said) in [
        (partner("colour = 1"), "partners[0].colour is not a setting"),
        (
            partner("requests_per_minute = 0"),
            "partners[0].requests_per_minute must be a whole number above 0",
        ),
        (
            partner("").replace("\"/a.svg\"", "\"https://a.example/a.svg\""),
            "partners[0].logo_url must be a path of this website",
        ),
        (
            partner("").replace("[\"s\"]", "[]"),
            "partners[0].services must be a list of texts",
        ),
        (
            format!("{}{}", partner(""), partner("")),
            "partners[1].identifier must be one that no other partner has",
        ),
        ("partners = 3".to_string(), "partners must be"),
        ("partners = [\"a\"]".to_string(), "partners must be"),
    ] {
        let error = Config::load(&layers(text)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert!(error.contains("shop.toml line"), "{error}");
    }
}

#[test]
fn what_a_partner_lacks_is_named_with_its_section() {
    let text = format!("{}{}", partner(""), partner("")).replacen("name = \"A\"\n", "", 1);
    let error = Config::load(&file(&text)).unwrap_err().to_string();
    let wanted = "partners[0] must be a section with `name` (shop.toml line 1)";
    assert_eq!(error, wanted);
}
