//! Users, sessions, mailed links, and the stored responses and counts of calls.

use layby::domain::account::{Link, LinkUse, Profile, Session, User};
use layby::store::tables::{self, Answered, RefusedAddress};
use serde_json::json;

use super::{Golden, at, by_time, every, golden, hash, hex, id, text};

fn user() -> User {
    User {
        uuid: id(60),
        password_hash: Some(text("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA")),
        profile: Profile {
            title_id: Some(4),
            first_name: Some(text("Zoë")),
            middle_name: Some(text("Mary")),
            last_name: Some(text("O’Neill")),
            email_primary: Some(text("Zoe@example.org")),
            address_primary: Some(text("1 High Street\nLeeds")),
            postcode_primary: Some(text("LS1 1AA")),
            tel_primary: Some(text("+441132960000")),
            gsm_primary: Some(text("+447400123456")),
            fax_primary: Some(text("+441132960001")),
            country_id: Some(826),
        },
        marketing: true,
        email_pending: Some(text("zoe@example.com")),
        created: at(0),
    }
}

pub async fn rows() -> Vec<Golden> {
    let mut without_password = user();
    without_password.uuid = id(61);
    without_password.password_hash = None;
    without_password.email_pending = None;
    without_password.profile = Profile::default();
    let uses = every![LinkUse:
        FirstPassword,
        ResetPassword,
        ConfirmAddress { address: text("zoe@example.com") },
    ];
    let links = (10..).zip(uses).map(|(number, good_for)| {
        let link = Link {
            user: id(60),
            good_for,
            created: at(1),
            expires: at(61),
        };
        (hash(number), link)
    });
    let session = Session {
        user: id(60),
        created: at(2),
        expires: at(602),
    };
    let answered = Answered {
        body: hex(20),
        answer: json!({ "uuid": id(1), "amount": 73.5, "kept": [1, -1, true, null, "é"] }),
        at: at(3),
    };
    let refused = RefusedAddress {
        at: at(4),
        reason: text("550 5.1.1"),
    };
    vec![
        golden(
            &tables::USERS,
            vec![(id(60), user()), (id(61), without_password)],
        )
        .await,
        golden(
            &tables::USER_BY_NAME,
            vec![(text("zoe@example.org"), id(60))],
        )
        .await,
        golden(&tables::SESSIONS, vec![(hash(9), session)]).await,
        golden(&tables::SESSION_BY_USER, vec![((id(60), hash(9)), ())]).await,
        golden(&tables::SESSION_BY_END, vec![((by_time(602), hash(9)), ())]).await,
        golden(&tables::LINKS, links.collect()).await,
        golden(&tables::LINK_BY_USER, vec![((id(60), hash(10)), ())]).await,
        golden(&tables::LINK_BY_END, vec![((by_time(61), hash(10)), ())]).await,
        golden(&tables::ANSWERED, vec![(hash(21), answered)]).await,
        golden(
            &tables::ANSWERED_BY_TIME,
            vec![((by_time(3), hash(21)), ())],
        )
        .await,
        golden(
            &tables::REFUSED_ADDRESSES,
            vec![(text("nobody@example.org"), refused)],
        )
        .await,
    ]
}
