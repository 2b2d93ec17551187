import { Alert, Button, Stack } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { ApiError } from '../../../api/client';
import { quoteKey, refreshSite, useProfile } from '../../../api/hooks';
import {
  type Product,
  type QuoteRead,
  type SavedLookUp,
  STATUS,
  type StepperData,
  UNFINISHED,
} from '../../../api/types';
import { applyLocks } from '../../../form/answers/applyLocks';
import { readDraft, removeDraft, writeDraft } from '../../../form/answers/draft';
import { padInstances, restoreAnswers } from '../../../form/answers/restoreAnswers';
import { answersFrom, decidingAnswers } from '../../../form/answers/serialize';
import { evaluate } from '../../../form/conditions/visibility';
import { savedWith } from '../../../form/lookups/savedLookUps';
import { applyDefaults, expiredDates } from '../../../form/start-date/startDate';
import { countErrors } from '../../../form/steps/steps';
import type { Form, SerializedProduct } from '../../../form/types';
import { check } from '../../../form/validation/validate';
import { type PlainDate, todayInLondon } from '../../../lib/dates/dates';
import { useToday } from '../../../lib/dates/now';
import { confirm } from '../../../lib/messages/confirm';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { JoinAccount } from '../../../shared/account/JoinAccount';
import { askToLogin } from '../../../shared/login/loginDialog';
import { useToPayment } from '../../../shared/payment/useToPayment';
import { RenewalComparison } from '../../../shared/renewal/RenewalComparison';
import { JourneyView } from '../journey/Journey';
import JourneyBody from '../journey/JourneyBody';
import { useJourney } from '../journey/useJourney';
import { useMonthlyChoice } from '../monthly/useMonthlyChoice';
import { forgetExclusionAnswers, useExclusionAnswers } from '../review/useExclusionAnswers';
import { StepNotice } from '../steps/StepNotice';
import { Lapsed } from './Lapsed';
import { Statement } from './Statement';
import {
  acceptQuote,
  LOGGED_IN,
  MONTHLY_REFUSED,
  NO_GATEWAY,
  NOT_LOGGED_IN,
  PRICE_MOVED,
  STALE,
  UPDATED,
  updateQuote,
} from './saving';

interface Props {
  quote: QuoteRead;
  product: Product;
  stepper: StepperData;
  /** Whether the form is open at first: for a correction, or because the quote is unfinished. */
  startOpen: boolean;
  /** Restarts the form with the latest data of the quote. */
  onReload: () => void;
}

/** Returns the day of the last save. */
function savedOn({ info, versions }: QuoteRead): PlainDate {
  const savedAt = new Date(versions.at(-1)?.date_revision ?? info.dates.created);
  return todayInLondon(savedAt);
}

/** Returns the form's initial answers: those of a current draft, or those of the quote. */
function startOf(quote: QuoteRead, form: Form) {
  const storedDraft = readDraft(quote.info.uuid);
  // A draft of an older revision is not used: it would undo later changes.
  const draft = storedDraft?.revision === quote.info.revision_id ? storedDraft : null;
  // Unanswered fields of an unfinished quote start with the defaults of a new quote.
  const completeAnswers = UNFINISHED.includes(quote.info.status_id) ? restoreAnswers : padInstances;
  const answers = completeAnswers(
    form,
    draft ? draft.answers : answersFrom(quote.values, quote.multi),
  );
  const today = todayInLondon();
  if (quote.info.status_id !== STATUS.lapsed) {
    const asOf = draft ? todayInLondon(new Date(draft.at)) : savedOn(quote);
    return { answers, changed: draft !== null, asOf };
  }
  // A lapsed quote must be saved again before the purchase, so a past start day is moved first.
  const state = evaluate(form, answers);
  const expiredPaths = expiredDates(form, answers, state, today).map(({ path }) => path);
  return {
    answers: applyDefaults(form, answers, state, expiredPaths, today),
    changed: true,
    asOf: today,
  };
}

const REFUSED: readonly number[] = [STATUS.refer, STATUS.declined];

/** The name of a product's group of steps for renewals. */
const RENEWAL = 'renewal';

function lineText(editing: boolean, changed: boolean, isMissing: boolean): string {
  if (isMissing) return 'Some answers are still missing. Fill them in, then go on.';
  if (changed) return 'You have changes that are not saved yet.';
  return editing ? 'Change what you need, then save.' : 'This is what we have saved for you.';
}

/** Shows a saved quote in the form, to read, to change and to buy. */
export function SavedQuoteForm({ quote, product, stepper, startOpen, onReload }: Props) {
  const { info } = product;
  const { uuid } = quote.info;
  // The revision of the answers in the form, even if a newer revision has been read.
  const [revision, setRevision] = useState(quote.info.revision_id);
  const toPayment = useToPayment();
  const { mutate } = useSWRConfig();
  const [form] = useState(() => applyLocks(product.form, quote));
  const [start] = useState(() => startOf(quote, form));
  const [editing, setEditing] = useState(startOpen || start.changed);
  const [autoRenew, setAutoRenew] = useState(quote.auto_renew);
  const monthly = useMonthlyChoice(uuid, quote.payment_frequency === 'monthly');
  const exclusions = useExclusionAnswers(uuid, quote.exclusion_answers);
  const [loginWarning, setLoginWarning] = useState(false);
  const { data: holder } = useProfile(uuid);
  // A declined or referred quote needs other answers before it is for sale.
  const unsellable = REFUSED.includes(quote.info.status_id);
  const lapsed = quote.info.status_id === STATUS.lapsed;
  const unfinished = UNFINISHED.includes(quote.info.status_id);
  const status = useRef(quote.info.status_id);
  const shown = useRef(revision);
  /** New notices in the response to the last save. */
  const announcedText = useRef<string | null>(null);

  const save = async (serialised: SerializedProduct, lookups: SavedLookUp[]) => {
    const updated = await savedWith(lookups, (each) =>
      updateQuote(uuid, revision, serialised, each),
    );
    removeDraft(uuid);
    setLoginWarning(false);
    setEditing(false);
    const { notices } = quote.info;
    const newNotices = updated.notices.filter((text) => !notices.includes(text));
    announcedText.current = newNotices.length > 0 ? newNotices.join(' ') : null;
    showSnackbar(UPDATED);
    setRevision(updated.revision_id);
    status.current = updated.status_id;
    shown.current = updated.revision_id;
    // These values come from the response, in case the next read fails.
    const saved = {
      revision_id: updated.revision_id,
      status_id: updated.status_id,
      reason: updated.reason ?? null,
      notices: updated.notices,
    };
    await mutate(
      quoteKey(uuid),
      { ...quote, info: { ...quote.info, ...saved } },
      { revalidate: false },
    );
    await mutate(quoteKey(uuid));
  };

  // The login dialog opens over the form, so that the typed answers can be saved afterwards.
  const logIn = async () => {
    if (!(await askToLogin({ quote: uuid }))) return;
    setLoginWarning(false);
    showSnackbar(LOGGED_IN);
  };

  const refused = async (error: ApiError) => {
    if (error.status === 401) setLoginWarning(true);
    if (error.code === MONTHLY_REFUSED) {
      monthly.refuse();
      await mutate(quoteKey(uuid));
      return;
    }
    if (error.status !== 409) return;
    if (error.code === NO_GATEWAY) {
      await refreshSite();
      return;
    }
    if (error.code !== STALE) {
      // The quote may have been declined or bought meanwhile, so the page reads the quote again.
      await mutate(quoteKey(uuid));
      return;
    }
    const reload = await confirm({
      title: 'This quote was changed somewhere else',
      message: 'Reload it to see how it stands now? What you changed here since will be gone.',
      yes: 'Reload',
      cancel: 'Keep editing',
    });
    if (!reload) return;
    removeDraft(uuid);
    await mutate(quoteKey(uuid));
    onReload();
  };

  const { buyable } = quote.info.flags;
  const offer = useMemo(() => {
    if (!buyable) return undefined;
    const saved = evaluate(form, answersFrom(quote.values, quote.multi));
    return decidingAnswers(form, saved, [...info.watch, ...info.decides]);
  }, [buyable, form, info, quote.values, quote.multi]);

  const journey = useJourney({
    form,
    info,
    stepper,
    offer,
    isRenewal: quote.info.flags.renewal_quote,
    context: quote.info.flags.renewal_quote ? RENEWAL : undefined,
    start,
    saved: true,
    incomplete: unfinished,
    open: editing,
    save,
    onRefused: (error) => void refused(error),
  });
  const { answers } = journey.api;
  const { changed, cards, current } = journey;

  useEffect(() => {
    if (changed) writeDraft(uuid, { answers, revision });
    else removeDraft(uuid);
  }, [uuid, answers, revision, changed]);

  // The first data may come from the cache. Answers and price must be of one revision. So a newer
  // revision restarts the form, unless there are unsaved changes or a running call.
  const outdated = quote.info.revision_id > revision && !changed && journey.busy === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onReload` is a new function at each render
  useEffect(() => {
    if (outdated) onReload();
  }, [outdated]);

  // An open quote may lapse at midnight, so the page reads the quote again on a new day. If the
  // quote has lapsed, the form restarts with the draft's changes.
  const today = useToday();
  const readDay = useRef(today);
  useEffect(() => {
    if (readDay.current === today) return;
    readDay.current = today;
    void mutate(quoteKey(uuid));
  }, [today, uuid, mutate]);
  const [wasLapsed] = useState(lapsed);
  const lapsedSince = lapsed && !wasLapsed && journey.busy === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onReload` is a new function at each render
  useEffect(() => {
    if (lapsedSince) onReload();
  }, [lapsedSince]);

  const isStepIncomplete =
    unfinished &&
    current !== undefined &&
    !journey.isLast &&
    countErrors(check(form, journey.api.state, current)) > 0;

  // A single opened card counts as editing once an answer in it changes.
  const dirty = editing || changed;
  const update = () => {
    if (journey.busy) return;
    if (!dirty) {
      setEditing(true);
      cards.setAll(true);
      // The answers on the last step are only to read, so the page opens the first step.
      if (journey.isLast) journey.editCover();
      return;
    }
    if (!changed) {
      setEditing(false);
      cards.setAll(false);
      return;
    }
    void journey.run('save', async () => {
      await journey.store();
      cards.setAll(false);
    });
  };

  const pay = (shownAmount: number | null, isMonthly: boolean) =>
    journey.run('pay', async () => {
      if (!current) return;
      const errors = await journey.checkStep(current, answers);
      if (countErrors(errors) > 0) return journey.reveal(errors);
      let notice: string | null = null;
      if (changed || !quote.info.flags.buyable) {
        await journey.store();
        notice = announcedText.current;
      }
      // After the save the quote may not be for sale, for example if the server declined the quote.
      // The page then shows the reason.
      if (status.current !== STATUS.quote) return;
      // New notices are shown before the payment. The next press of the button pays.
      if (notice) return showSnackbar(notice);
      const { amount_due } = await acceptQuote(uuid, shown.current, {
        isMonthly,
        autoRenew,
        exclusions: exclusions.exclusionAnswers,
      });
      forgetExclusionAnswers(uuid);
      // The payment page needs the acceptance of this revision, so the cached quote is read again.
      await mutate(quoteKey(uuid));
      if ((isMonthly || shownAmount !== null) && shownAmount !== amount_due)
        return showSnackbar(PRICE_MOVED);
      await toPayment(uuid);
    });

  const renewNow = () => {
    const last = journey.steps.at(-1);
    if (last) void journey.jump(last.number);
  };

  const name = [holder?.first_name, holder?.middle_name, holder?.last_name].filter(Boolean);

  return (
    <JourneyView
      Body={JourneyBody}
      journey={journey}
      form={form}
      info={info}
      quote={quote.info}
      holder={name.length > 0 ? name.join(' ') : null}
      autoRenew={{ isOn: autoRenew, onChange: setAutoRenew }}
      monthly={{ plan: quote.plan, choice: monthly.choice }}
      exclusions={exclusions}
      onPay={unsellable ? undefined : (amount, isMonthly) => void pay(amount, isMonthly)}
      statement={<Statement quote={quote} form={form} info={info} state={journey.api.state} />}
      notice={(price) => (
        <>
          <JoinAccount read={quote} kind="quote" />
          {loginWarning && (
            <Alert
              color="amber"
              withCloseButton
              closeButtonLabel="Close"
              role="alert"
              onClose={() => setLoginWarning(false)}
            >
              <Stack gap="sm" align="start">
                {NOT_LOGGED_IN}
                <Button size="sm" onClick={() => void logIn()}>
                  Login
                </Button>
              </Stack>
            </Alert>
          )}
          {quote.info.flags.renewal_quote && !journey.isLast && (
            <RenewalComparison
              quote={uuid}
              currency={quote.info.price?.currency}
              actions={
                !unsellable && (
                  <Button aria-disabled={journey.busy !== null || undefined} onClick={renewNow}>
                    Renew now
                  </Button>
                )
              }
            />
          )}
          {[...new Set(quote.info.notices)].map((text) => (
            <StepNotice key={text} text={text} />
          ))}
          <StepNotice
            text={
              lapsed ? (
                <Lapsed quote={quote} form={form} state={journey.api.state} price={price} />
              ) : (
                lineText(dirty, changed, isStepIncomplete)
              )
            }
          >
            <Button
              variant={dirty && (!journey.isLast || unsellable) ? 'filled' : 'default'}
              size="sm"
              aria-disabled={journey.busy !== null || undefined}
              onClick={update}
            >
              {journey.busy === 'save'
                ? 'Please wait...'
                : dirty
                  ? 'Save Changes'
                  : 'Update my details'}
            </Button>
          </StepNotice>
        </>
      )}
    />
  );
}
