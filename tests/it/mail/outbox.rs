//! The operator's commands for unsent letters.

use chrono::TimeDelta;
use layby::app::jobs::JobQueue;
use layby::app::letters::delivery::outbox::{self, MailOrder};
use layby::app::{AppError, jobs};
use layby::products::Catalogue;
use layby::store::tables::{self, RefusedAddress};
use poem::http::StatusCode;
use serde_json::json;

use crate::support::{Shop, two_vehicles};

async fn ask(shop: &Shop, order: MailOrder) -> Result<Vec<String>, AppError> {
    let mut lines = Vec::new();
    outbox::execute(&shop.app.store, &order, shop.clock.now(), &mut lines).await?;
    Ok(lines)
}

async fn list(shop: &Shop) -> Vec<String> {
    ask(shop, MailOrder::List).await.unwrap()
}

/// Returns the id in a line of the list.
fn id(line: &str) -> String {
    let mut words = line.split_whitespace();
    let id = words.find(|word| word.len() == 36 && word.contains('-'));
    id.unwrap().to_string()
}

/// Makes the mail folder unavailable for some hours.
async fn outage(shop: &Shop, hours: i64) {
    std::fs::remove_dir_all(shop.mail_folder()).unwrap();
    for _ in 0..hours {
        shop.clock.advance(TimeDelta::hours(1));
        shop.work().await;
    }
    std::fs::create_dir(shop.mail_folder()).unwrap();
}

/// Queues three letters, one in each queue: a forgotten password, a purchase, and a quote.
async fn three_letters(shop: &Shop) -> String {
    let ann = shop.seed(1, 0).await.remove(0);
    let forgotten = json!({ "username": ann });
    let call = shop.post("/api/v1/retrieve-password-request", &forgotten);
    call.send().await.expect(StatusCode::OK);
    let mut product = two_vehicles();
    product["values"]["email_primary"] = json!("buyer@example.org");
    let quote = shop.quote(&product).await;
    shop.accept(&quote).await.expect(StatusCode::OK);
    let frame = shop.initiate(&quote).await.text("/data/url");
    shop.pay(&frame, "4242 4242 4242 4242").await;
    shop.payment(&quote).await.expect(StatusCode::OK);
    product["values"]["email_primary"] = json!("visitor+car@example.org");
    shop.quote(&product).await;
    ann
}

fn recipients(shop: &Shop) -> Vec<String> {
    let letters = shop.letters().into_iter();
    let mut to: Vec<_> = letters.map(|letter| letter.to).collect();
    to.sort();
    to
}

#[tokio::test]
async fn letters_that_were_given_up_are_kept_and_go_out_when_they_are_asked_for() {
    let shop = Shop::new().await;
    let ann = three_letters(&shop).await;
    outage(&shop, 2).await;
    let waiting = list(&shop).await;
    let totals = "3 letters wait, 0 were given up, 0 addresses refused their mail";
    assert_eq!(waiting.last().unwrap(), totals);
    for (line, says) in waiting.iter().zip([
        format!("account_letters  a password's link to {ann}"),
        "policy_letters  the news of policy ".to_string(),
        "quote_letters  a quote's link to visitor@example.org".to_string(),
    ]) {
        assert!(line.starts_with("waiting "), "{line}");
        assert!(line.contains(&says), "{line}");
        let (_, why) = line.split_once(", after ").unwrap();
        assert!(
            why.contains(": a letter can't be written to the folder"),
            "{line}"
        );
    }
    outage(&shop, 40).await;
    let given_up = list(&shop).await;
    let totals = "0 letters wait, 3 were given up, 0 addresses refused their mail";
    assert_eq!(given_up.last().unwrap(), totals, "{given_up:?}");
    assert!(given_up[0].starts_with("given up "), "{given_up:?}");
    shop.work().await;
    assert!(shop.letters().is_empty());

    let first = given_up.iter().find(|line| line.contains(&ann)).unwrap();
    let these = vec![id(first).parse().unwrap()];
    let said = ask(&shop, MailOrder::Requeue(these)).await.unwrap();
    assert_eq!(said, ["1 letters are tried now"]);
    shop.work().await;
    assert_eq!(recipients(&shop), [ann.as_str()]);
    let said = ask(&shop, MailOrder::Requeue(Vec::new())).await.unwrap();
    assert_eq!(said, ["2 letters are tried now"]);
    shop.work().await;
    let all = [ann.as_str(), "buyer@example.org", "visitor+car@example.org"];
    let mut all = all.to_vec();
    all.sort_unstable();
    assert_eq!(recipients(&shop), all);
    let totals = "0 letters wait, 0 were given up, 0 addresses refused their mail";
    assert_eq!(list(&shop).await, [totals]);
}

#[tokio::test]
async fn what_waits_for_its_next_try_is_tried_at_once_or_never() {
    let shop = Shop::new().await;
    let ann = three_letters(&shop).await;
    outage(&shop, 5).await;
    let waiting = list(&shop).await;
    let quote = id(&waiting[2]);
    let forgotten = ask(&shop, MailOrder::Forget(vec![quote.clone()])).await;
    assert_eq!(forgotten.unwrap(), [format!("{quote} is forgotten")]);
    // The next letter to that mailbox is not blocked.
    let mut product = two_vehicles();
    product["values"]["email_primary"] = json!("visitor@example.org");
    shop.quote(&product).await;
    assert_eq!(list(&shop).await.len(), 4);
    let said = ask(&shop, MailOrder::Requeue(Vec::new())).await.unwrap();
    assert_eq!(said, ["2 letters are tried now"]);
    shop.work().await;
    assert_eq!(recipients(&shop).len(), 2);
    assert!(recipients(&shop).contains(&ann));
    shop.clock.advance(TimeDelta::minutes(1));
    shop.work().await;
    assert!(recipients(&shop).contains(&"visitor@example.org".to_string()));
    for unknown in [
        MailOrder::Requeue(vec![quote.parse().unwrap()]),
        MailOrder::Forget(vec![quote]),
        MailOrder::Forget(vec!["nobody@example.org".to_string()]),
    ] {
        ask(&shop, unknown).await.unwrap_err();
    }
}

#[tokio::test]
async fn an_address_that_refused_its_mail_is_written_to_again() {
    let shop = Shop::new().await;
    let name = "ann@example.org".to_string();
    let reason = "naming the recipient: the mail server answered 550 5.1.1".to_string();
    let (key, at) = (name.clone(), shop.clock.now());
    let refuse = move |tx: &mut layby::store::WriteTx<'_>| {
        let reason = reason.clone();
        tables::REFUSED_ADDRESSES.put(tx, &key, &RefusedAddress { at, reason })
    };
    shop.app.store.write(refuse).await.unwrap();
    assert!(list(&shop).await[0].contains("refused  ann@example.org"));
    for letters in [0, 1] {
        shop.quote(&two_vehicles()).await;
        shop.clock.advance(TimeDelta::minutes(1));
        shop.work().await;
        assert_eq!(shop.letters().len(), letters);
        let forget = MailOrder::Forget(vec!["Ann@Example.org".to_string()]);
        assert_eq!(ask(&shop, forget).await.is_ok(), letters == 0);
    }
}

#[tokio::test]
async fn letters_that_were_given_up_are_kept_for_thirty_days() {
    let shop = Shop::new().await;
    three_letters(&shop).await;
    outage(&shop, 40).await;
    for (days, kept) in [(29, 3), (2, 0)] {
        shop.clock.advance(TimeDelta::days(days));
        jobs::daily(&shop.app).await.unwrap();
        let totals = list(&shop).await.pop().unwrap();
        assert!(
            totals.contains(&format!("{kept} were given up")),
            "{totals}"
        );
    }
}

#[tokio::test]
async fn a_letter_whose_template_fails_is_listed_with_the_line_and_goes_out_once_it_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let template = include_str!("../../../src/app/letters/templates/quote-saved.txt");
    let template = template.replacen("{{ resume_link }}", "{{ resume_link|shorten }}", 1);
    let line = template
        .lines()
        .position(|line| line.contains("|shorten"))
        .unwrap()
        + 1;
    std::fs::write(folder.path().join("quote-saved.txt"), template).unwrap();
    let settings = format!("[mail]\ntemplates = {:?}\n", folder.path());
    let shop = Shop::configured(&settings).await;
    shop.quote(&two_vehicles()).await;
    let why = format!("quote-saved.txt:{line}: unknown filter");
    for _ in 0..3 {
        shop.clock.advance(TimeDelta::minutes(1));
        shop.work().await;
    }
    let waiting = list(&shop).await;
    assert!(waiting[0].starts_with("waiting "), "{waiting:?}");
    assert!(waiting[0].contains(&why), "{waiting:?}");
    for _ in 0..40 {
        shop.clock.advance(TimeDelta::hours(1));
        shop.work().await;
    }
    let given_up = list(&shop).await;
    assert!(given_up[0].starts_with("given up "), "{given_up:?}");
    assert!(given_up[0].contains(&why), "{given_up:?}");

    let mended = shop.restarted("", Catalogue::load(None).unwrap()).await;
    ask(&mended, MailOrder::Requeue(Vec::new())).await.unwrap();
    mended.work().await;
    assert_eq!(mended.letters().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_letter_is_tried_once_a_call_although_every_try_fails() {
    let shop = Shop::new().await;
    three_letters(&shop).await;
    std::fs::remove_dir_all(shop.mail_folder()).unwrap();
    let workers = (0..3).map(|_| {
        let app = shop.app.clone();
        tokio::spawn(async move {
            loop {
                for queue in JobQueue::ALL {
                    let due = jobs::due_jobs(&app.store, &app.clock, queue, 10).await;
                    for (key, job) in due.unwrap().jobs {
                        let _ = jobs::run_job(&app, key, job).await;
                    }
                }
                tokio::task::yield_now().await;
            }
        })
    });
    let workers: Vec<_> = workers.collect();
    // A letter about a quote waits for half a minute.
    shop.clock.advance(TimeDelta::minutes(1));
    for _ in 0..100 {
        let output = ask(&shop, MailOrder::Requeue(Vec::new())).await.unwrap();
        let (count, _) = output[0].split_once(' ').unwrap();
        assert!(count.parse::<usize>().unwrap() <= 3, "{output:?}");
    }
    workers.into_iter().for_each(|worker| worker.abort());
}
