//! The files for search engines: `/robots.txt` and `/sitemap.xml`.

use std::collections::BTreeMap;

use layby::products::Catalogue;
use poem::http::Method;
use serde::Deserialize;

use crate::support::{ORIGIN, Shop, two_vehicles};

/// The website's pages by pattern, each with sample addresses.
#[derive(Deserialize)]
struct Addresses {
    pages: BTreeMap<String, Vec<String>>,
}

/// The public pages.
const PUBLIC: [&str; 5] = [
    "/",
    "/broken-down",
    "/help",
    "/breakdown/:cover?",
    "/cover/:product",
];

async fn text(shop: &Shop, path: &str) -> String {
    let answer = shop.page(Method::GET, path).send().await;
    answer.assert_status_is_ok();
    answer.0.into_body().into_string().await.unwrap()
}

/// Checks whether robots.txt disallows an address.
fn is_disallowed(robots: &str, address: &str) -> bool {
    let mut rules = robots.lines().filter_map(|l| l.strip_prefix("Disallow: "));
    rules.any(|begins| address.starts_with(begins))
}

fn locations(sitemap: &str) -> Vec<String> {
    let urls = sitemap.split("<loc>").skip(1);
    let urls = urls.map(|rest| rest.split_once("</loc>").unwrap().0);
    urls.map(str::to_owned).collect()
}

#[tokio::test]
async fn robots_are_kept_from_every_page_that_is_not_for_anybody() {
    let shop = Shop::new().await;
    let robots = text(&shop, "/robots.txt").await;
    assert!(robots.starts_with("User-agent: *\nDisallow: /"), "{robots}");
    assert!(
        robots.ends_with(&format!("\nSitemap: {ORIGIN}/sitemap.xml\n")),
        "{robots}"
    );
    let known: Addresses = serde_json::from_str(include_str!("../fixtures/pages.json")).unwrap();
    for (page, addresses) in known.pages {
        for address in addresses {
            let is_private = !PUBLIC.contains(&page.as_str());
            assert_eq!(is_disallowed(&robots, &address), is_private, "{address}");
        }
    }
    for address in [
        "/api/v1/site",
        "/gateway/sandbox/pay/1",
        "/metrics",
        "/rescue-card",
    ] {
        assert!(is_disallowed(&robots, address), "{address}");
    }
    for file in ["/sitemap.xml", "/assets/index.js", "/badge.svg"] {
        assert!(!is_disallowed(&robots, file), "{file}");
    }
}

#[tokio::test]
async fn the_sitemap_lists_where_each_product_on_sale_begins() {
    let folder = tempfile::tempdir().unwrap();
    let bicycle = include_str!("../fixtures/products/bicycle.toml");
    std::fs::write(folder.path().join("bicycle.toml"), bicycle).unwrap();
    let breakdown = include_str!("../../src/products/breakdown.toml");
    let words = "[presets.\"dès & <5\"]\ncover_level = 1\n\n[presets.local]";
    let breakdown = breakdown.replace("[presets.local]", words);
    std::fs::write(folder.path().join("breakdown.toml"), breakdown).unwrap();
    let documents = include_str!("../../src/products/breakdown.documents.toml");
    std::fs::write(folder.path().join("breakdown.documents.toml"), documents).unwrap();
    let shop = Shop::selling(Catalogue::load(Some(folder.path())).unwrap()).await;
    let robots = text(&shop, "/robots.txt").await;

    let found = locations(&text(&shop, "/sitemap.xml").await);
    let expected = [
        "/",
        "/broken-down",
        "/help",
        "/breakdown",
        "/breakdown/d%C3%A8s%20%26%20%3C5",
        "/breakdown/local",
        "/breakdown/national",
        "/breakdown/european",
        "/breakdown/personal",
        "/breakdown/vehicle",
        "/cover/gadget",
        "/cover/bicycle",
    ];
    assert_eq!(found, expected.map(|path| format!("{ORIGIN}{path}")));
    for address in found {
        let path = address.strip_prefix(ORIGIN).unwrap();
        assert!(!is_disallowed(&robots, path), "{path}");
        if !path.contains('%') {
            text(&shop, path).await;
        }
    }
}

#[tokio::test]
async fn they_hold_nothing_of_anybody_and_say_what_they_are() {
    let shop = Shop::new().await;
    let files = [
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/sitemap.xml", "application/xml; charset=utf-8"),
    ];
    for (path, kind) in files {
        let before = text(&shop, path).await;
        let quote = shop.quote(&two_vehicles()).await;
        let asked = shop.page(Method::GET, path);
        let asked = asked.header("Authorization", format!("Bearer {}", quote.token));
        let answer = asked.header("Host", "evil.example").send().await;
        let headers = answer.0.headers().clone();
        for (name, value) in [
            ("content-type", kind),
            ("cache-control", "public, max-age=3600"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(headers.get(name).unwrap(), value, "{path}");
        }
        assert!(headers.contains_key("content-security-policy"), "{path}");
        assert!(!headers.contains_key("set-cookie"), "{path}");
        let after = answer.0.into_body().into_string().await.unwrap();
        assert_eq!(after, before, "{path}");
        let head = shop.page(Method::HEAD, path).send().await;
        head.assert_status_is_ok();
        assert_eq!(head.0.headers().get("content-type").unwrap(), kind);
    }
}
