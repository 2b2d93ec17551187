//! Daily runs missed before the last day of cover, on it, and after it.

use chrono::TimeDelta;
use layby::app::jobs;

use super::{PAYS, TO_THE_CHARGE, charges, renewing, status, told};

#[tokio::test]
async fn a_round_after_missed_ones_charges_what_is_due_while_cover_lasts() {
    for missed in [1, 3, 10] {
        let (mut ann, policy, renewal) = renewing(None, PAYS).await;
        ann.waits(TO_THE_CHARGE - 1).await;
        ann.sleeps(missed + 1).await;
        assert_eq!(charges(&ann), 1, "{missed}");
        assert_eq!(status(&ann, &renewal).await, 5, "{missed}");
        ann.waits(11 - missed).await;
        assert_eq!(status(&ann, &policy).await, 16, "{missed}");
        assert!(told(&ann, "has ended").is_empty(), "{missed}");
    }
}

#[tokio::test]
async fn once_cover_has_ended_nothing_is_charged_and_a_letter_leads_to_paying() {
    for late in 1..=3 {
        let (mut ann, policy, renewal) = renewing(None, PAYS).await;
        ann.waits(TO_THE_CHARGE - 1).await;
        ann.sleeps(11 + late).await;
        assert_eq!(charges(&ann), 0, "{late}");
        assert_eq!(status(&ann, &policy).await, 15, "{late}");
        let letters = told(&ann, "has ended");
        assert_eq!(letters.len(), 1, "{late}");
        let said = &letters[0].text;
        assert!(
            said.contains("we did not charge the card that paid for it"),
            "{said}"
        );
        if late == 1 {
            assert!(said.contains("You can still renew it until the end of"));
            assert_eq!(letters[0].link("/quote/edit/"), renewal);
            ann.pays_for(&renewal, PAYS, false).await;
            assert_eq!(status(&ann, &renewal).await, 5);
        } else {
            assert_eq!(letters[0].link("/cover/"), "breakdown");
        }
        ann.waits(2).await;
        assert_eq!(charges(&ann), 0, "{late}");
    }
}

#[tokio::test]
async fn a_charge_that_was_queued_on_the_last_day_is_not_begun_after_it() {
    let (mut ann, policy, renewal) = renewing(None, PAYS).await;
    ann.waits(TO_THE_CHARGE - 1).await;
    ann.shop.clock.advance(TimeDelta::days(11));
    jobs::daily(&ann.shop.app).await.unwrap();
    // The job waits until the next day.
    ann.sleeps(1).await;
    ann.shop.clock.advance(TimeDelta::hours(2));
    ann.works().await;
    assert_eq!(charges(&ann), 0);
    assert_eq!(status(&ann, &policy).await, 15);
    let letters = told(&ann, "has ended");
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].link("/quote/edit/"), renewal);
    assert!(letters[0].text.contains("we did not charge the card"));
}
