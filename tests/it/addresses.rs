//! The addresses in the settings: the shop's own, other websites' and proxies'.

use std::net::{IpAddr, SocketAddr};

use layby::config::{Config, Layers, Network, WebOrigin, client_address, is_own_path};

#[test]
fn the_public_address_is_the_given_one_or_the_bound_loopback() {
    let bound = |text: &str| text.parse::<SocketAddr>().unwrap();
    let config = Config::load(&Layers::default()).unwrap();
    let cases = [
        ("127.0.0.1:8123", "http://127.0.0.1:8123"),
        ("0.0.0.0:8123", "http://127.0.0.1:8123"),
        ("[::]:8123", "http://[::1]:8123"),
        ("127.0.0.1:80", "http://127.0.0.1"),
    ];
    for (address, origin) in cases {
        let found = config.server.public_origin(bound(address));
        assert_eq!(found.as_str(), origin);
        assert!(!found.is_https());
    }
    let given = (
        "LAYBY_SERVER__PUBLIC_URL".to_owned(),
        "https://Cover.Example.org:443/".to_owned(),
    );
    let env = vec![given];
    let config = Config::load(&Layers {
        env,
        ..Layers::default()
    })
    .unwrap();
    let origin = config.server.public_origin(bound("127.0.0.1:1"));
    assert_eq!(origin.as_str(), "https://cover.example.org");
    assert_eq!(
        origin.join("/dashboard"),
        "https://cover.example.org/dashboard"
    );
}

#[test]
fn origins_hold_nothing_that_means_something_in_a_policy() {
    for address in [
        "https://a.example;script-src *",
        "https://a.example;x",
        "https://a.example,b.example",
        "https://user:password@a.example",
        "https://",
        "https://a.example:port",
        "https://a.example:99999",
        "data:text/html,x",
        "a.example",
    ] {
        assert_eq!(WebOrigin::parse(address), None, "{address}");
    }
}

#[test]
fn only_paths_of_this_website_are_own_paths() {
    for path in ["/", "/dashboard", "/a/b?c=d#e"] {
        assert!(is_own_path(path), "{path}");
    }
    for path in [
        "",
        "a",
        "//a.example",
        "/\\a.example",
        "https://a.example",
        "/a\n",
    ] {
        assert!(!is_own_path(path), "{path:?}");
    }
}

#[test]
fn only_trusted_proxies_say_who_the_client_is() {
    let network = |text: &str| text.parse::<Network>().unwrap();
    let trusted = [
        network("10.0.0.0/8"),
        network("2001:db8::/32"),
        network("127.0.0.1"),
    ];
    let cases = [
        // Without a proxy.
        ("203.0.113.9", None, "203.0.113.9"),
        // A client may forge the header.
        ("203.0.113.9", Some("198.51.100.1"), "203.0.113.9"),
        ("10.1.2.3", Some("198.51.100.1"), "198.51.100.1"),
        ("::ffff:10.1.2.3", Some("198.51.100.1"), "198.51.100.1"),
        ("2001:db8::1", Some("198.51.100.1:4711"), "198.51.100.1"),
        // A forged address stands to the left of the address that the first trusted proxy saw.
        (
            "10.1.2.3",
            Some("1.1.1.1, 198.51.100.1, 10.9.9.9"),
            "198.51.100.1",
        ),
        ("10.1.2.3", Some("10.9.9.9"), "10.9.9.9"),
        ("10.1.2.3", Some("nonsense"), "10.1.2.3"),
        ("10.1.2.3", None, "10.1.2.3"),
        ("127.0.0.2", Some("198.51.100.1"), "127.0.0.2"),
    ];
    for (peer, header, client) in cases {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let found = client_address(&trusted, address(peer), header);
        assert_eq!(found, address(client), "{peer} {header:?}");
    }
    for text in [
        "",
        "10.0.0.0/33",
        "10.0.0/8",
        "::1/129",
        "10.0.0.0/",
        "host",
    ] {
        assert!(text.parse::<Network>().is_err(), "{text}");
    }
    assert!(network("0.0.0.0/0").contains("203.0.113.9".parse().unwrap()));
}
