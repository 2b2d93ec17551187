//! Letters about quotes. Every letter is sent in the end, within the limit of each address.

use chrono::TimeDelta;
use layby::app::jobs::{self, JobQueue};
use layby::products::Catalogue;
use poem::http::StatusCode;
use tokio::net::TcpListener;

use crate::support::{Made, Shop, answers_of};

async fn move_to(shop: &Shop, quote: &Made, address: &str) {
    shop.update(quote, &answers_of(address)).succeeds().await;
}

async fn resume(shop: &Shop, secret: &str) -> StatusCode {
    let call = shop.resume(secret);
    call.send().await.status
}

#[tokio::test]
async fn a_letter_that_a_stop_cut_off_goes_out_after_the_start() {
    // The mail server accepts connections, but sends no greeting.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let settings =
        format!("[mail.smtp]\nhost = \"127.0.0.1\"\nport = {port}\nsecurity = \"none\"\n");
    let shop = Shop::configured(&settings).await;
    let quote = shop.quote(&answers_of("new@example.org")).await;
    shop.clock.advance(TimeDelta::seconds(31));
    for _ in 0..4 {
        let mut due = jobs::due_jobs(&shop.app.store, &shop.app.clock, JobQueue::QuoteLetters, 10)
            .await
            .unwrap()
            .jobs;
        let (key, job) = due.pop().expect("the letter waits");
        // The shop stops during the conversation with the mail server.
        tokio::select! {
            done = jobs::run_job(&shop.app, key, job) => panic!("it ended by itself: {done:?}"),
            spoken_to = silent.accept() => drop(spoken_to.unwrap()),
        }
    }
    let shop = shop.restarted("", Catalogue::load(None).unwrap()).await;
    shop.work().await;
    let letters = shop.letters();
    assert_eq!(letters.len(), 1);
    let secret = letters[0].secret_of(&quote.uuid);
    assert_eq!(resume(&shop, &secret).await, StatusCode::OK);
    let aid = letters[0].link("/reset-password?aid=");
    shop.password_info(&aid).succeeds().await;
}

#[tokio::test]
async fn a_mailbox_that_is_typed_again_is_sent_a_link_that_works() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("one@example.org")).await;
    shop.post_comes().await;
    move_to(&shop, &quote, "two@example.org").await;
    move_to(&shop, &quote, "one@example.org").await;
    shop.post_comes().await;
    let letters = shop.letters();
    let to: Vec<_> = letters.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["one@example.org", "one@example.org"]);
    let secret = |nth: usize| letters[nth].secret_of(&quote.uuid);
    assert_eq!(resume(&shop, &secret(0)).await, StatusCode::NOT_FOUND);
    assert_eq!(resume(&shop, &secret(1)).await, StatusCode::OK);
    // The mailbox gets at most three letters a day, however often its address is typed again.
    for _ in 0..3 {
        move_to(&shop, &quote, "two@example.org").await;
        move_to(&shop, &quote, "one@example.org").await;
        shop.post_comes().await;
    }
    assert_eq!(shop.letters().len(), 3);
}

#[tokio::test]
async fn letters_to_one_mailbox_at_once_are_one_letter() {
    let shop = Shop::new().await;
    let quote = shop.quote(&answers_of("one@example.org")).await;
    for address in ["two@example.org", "one@example.org"] {
        shop.clock.advance(TimeDelta::seconds(1));
        move_to(&shop, &quote, address).await;
    }
    shop.clock.advance(TimeDelta::seconds(31));
    let due = || jobs::due_jobs(&shop.app.store, &shop.app.clock, JobQueue::QuoteLetters, 10);
    let jobs = due().await.unwrap().jobs;
    assert_eq!(jobs.len(), 2, "one for each mailbox");
    // A stop may leave a job twice, so the same job runs twice at once.
    let (key, job) = jobs.into_iter().next().unwrap();
    let (one, two) = tokio::join!(
        jobs::run_job(&shop.app, key, job.clone()),
        jobs::run_job(&shop.app, key, job),
    );
    one.and(two).unwrap();
    assert_eq!(shop.letters().len(), 1);
    let waiting = due().await.unwrap().next;
    assert!(waiting.is_some(), "its turn comes when the other's is over");
    shop.post_comes().await;
    assert_eq!(shop.letters().len(), 1);
}

#[tokio::test]
async fn an_outage_of_the_mail_uses_up_none_of_the_days_letters() {
    let shop = Shop::new().await;
    let folder = shop.mail_folder();
    std::fs::remove_dir(&folder).unwrap();
    shop.quote(&answers_of("new@example.org")).await;
    for _ in 0..5 {
        shop.post_comes().await;
    }
    std::fs::create_dir(&folder).unwrap();
    for _ in 0..4 {
        shop.post_comes().await;
        shop.quote(&answers_of("new@example.org")).await;
    }
    shop.post_comes().await;
    assert_eq!(shop.letters().len(), 3);
}
