//! The website's typeface for pages outside the website, such as a gateway's.

use std::sync::LazyLock;

use super::Embedded;

/// The name of the file for Latin letters in the website's build, up to the hash.
const FILE: &str = "assets/inter-latin-wght-normal";

/// The typeface's name and its fallbacks, as in `ui/src/theme.ts`.
const FAMILY: &str = "\"Inter Variable\",system-ui,-apple-system,\"Segoe UI\",sans-serif";

/// Returns the style that gives a page the website's typeface. A build without the website has no font
/// file, so the browser uses a fallback.
pub(in crate::api) fn style() -> &'static str {
    static STYLE: LazyLock<String> = LazyLock::new(|| {
        let names: Vec<_> = Embedded::iter().collect();
        preload_tags(names.iter().map(AsRef::as_ref))
    });
    &STYLE
}

fn preload_tags<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let face = names
        .find(|name| name.starts_with(FILE) && name.ends_with(".woff2"))
        .map(|name| {
            format!(
                "@font-face{{font-family:\"Inter Variable\";font-style:normal;font-weight:100 900;\
                 font-display:swap;src:url(/{name}) format(\"woff2\")}}"
            )
        });
    format!("{}:root{{font-family:{FAMILY}}}", face.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_the_one_that_the_website_has() {
        let files = [
            "assets/inter-cyrillic-wght-normal-A1.woff2",
            "assets/inter-latin-ext-wght-normal-B2.woff2",
            "assets/inter-latin-wght-normal-C3.woff2",
        ];
        let style = preload_tags(files.into_iter());
        assert!(
            style.contains("src:url(/assets/inter-latin-wght-normal-C3.woff2)"),
            "{style}"
        );
        assert_eq!(
            preload_tags([].into_iter()),
            format!(":root{{font-family:{FAMILY}}}")
        );
    }
}
