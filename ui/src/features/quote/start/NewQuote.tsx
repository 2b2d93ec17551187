import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { ApiError } from '../../../api/client';
import { statusOf } from '../../../api/failure';
import { refreshSite, useProduct, useProfile, useQuoteRead, useStepper } from '../../../api/hooks';
import { clearAnswers } from '../../../api/session/session';
import { type Product, type Profile, STATUS, type StepperData } from '../../../api/types';
import { initialAnswers } from '../../../form/answers/answers';
import {
  type Draft,
  type LastQuote,
  readDraft,
  readLastQuote,
  removeDraft,
  writeDraft,
} from '../../../form/answers/draft';
import { restoreAnswers } from '../../../form/answers/restoreAnswers';
import { dayOfForm } from '../../../form/start-date/startDate';
import { countErrors, stepsOf } from '../../../form/steps/steps';
import type { Values } from '../../../form/types';
import { todayInLondon } from '../../../lib/dates/dates';
import { confirm } from '../../../lib/messages/confirm';
import { showSnackbar, showSnackbarAhead } from '../../../lib/messages/snackbar';
import { NOT_FOUND, PageError } from '../../../lib/routes/guards';
import { paths } from '../../../lib/routes/paths';
import { quotesWithToken, tokenFor } from '../../../lib/storage/tokens';
import { lazyWithPreload } from '../../../lib/timing/lazyWithPreload';
import { useToPayment } from '../../../shared/payment/useToPayment';
import { AppLink } from '../../../ui/basics/AppLink';
import { FormLoadError } from '../../../ui/errors/FormLoadError';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { JourneyView } from '../journey/Journey';
import { useJourney } from '../journey/useJourney';
import { seedPriceCache } from '../price/seedPriceCache';
import { useExclusionAnswers } from '../review/useExclusionAnswers';
import { acceptQuote, failureText, NO_GATEWAY, PRICE_MOVED } from '../saved/saving';
import { StepNotice } from '../steps/StepNotice';
import { useCreate } from './useCreate';

// The headline and the plate are shown before the questions are loaded.
const LazyBody = lazyWithPreload(() => import('../journey/JourneyBody'));

/** Statuses of a quote that can be continued. */
const OPEN_STATUSES: readonly number[] = [
  STATUS.quote,
  STATUS.draft,
  STATUS.partial,
  STATUS.lapsed,
];

const CLEAR = {
  title: 'Clear your answers?',
  message:
    'Your answers, and the way back to the quotes and policies of this browser, are removed from it. The links in our emails still work.',
  yes: 'Clear my answers',
  cancel: 'Keep my answers',
};

interface Props {
  product: string;
  /** The `cover` of /breakdown/{cover}, which sets some answers in advance. */
  preset?: string;
}

/** Shows a quote that has not been saved yet. */
export function NewQuote({ product, preset }: Props) {
  const form = useProduct(product);
  const stepper = useStepper(product);
  const failed = form.error ?? stepper.error;
  // The count gives the form a new key, with which "Clear my answers" starts an empty form.
  const [resetCount, setResetCount] = useState(0);

  if (form.data && stepper.data) {
    // The server also finds products by number, but only an address with the name is valid.
    if (form.data.info.product_identifier !== product) throw new PageError(404, NOT_FOUND);
    return (
      <DraftLoader
        key={`${product}.${preset ?? ''}.${resetCount}`}
        product={form.data}
        stepper={stepper.data}
        preset={preset}
        onClear={() => setResetCount(resetCount + 1)}
      />
    );
  }
  if (!failed) return <PageSkeleton label="Loading the questions" size={1140} />;
  if (statusOf(failed) === 404) throw new PageError(404, NOT_FOUND);
  const mutate = () => {
    void form.mutate();
    void stepper.mutate();
  };
  const isValidating = form.isValidating || stepper.isValidating;
  return <FormLoadError read={{ isValidating, mutate }} />;
}

interface DraftLoaderProps {
  product: Product;
  stepper: StepperData;
  preset?: string;
  onClear: () => void;
}

/**
 * Starts a new quote with the stored draft, if there is one. Opens the last saved quote if the
 * address names a later step and there is no draft.
 */
function DraftLoader(props: DraftLoaderProps) {
  const { product_identifier: scope } = props.product.info;
  const [params] = useSearchParams();
  const [draft] = useState(() => readDraft(scope));
  const [ongoing] = useState(() => {
    const last = readLastQuote(scope);
    return last && tokenFor(last.uuid) ? last : null;
  });
  const [isReturning] = useState(() => {
    const first = stepsOf(props.stepper, {})[0]?.number ?? 0;
    return !draft && ongoing !== null && Number(params.get('step')) > first;
  });

  // The quote was saved, and Back led to the address of the unsaved quote.
  if (ongoing && isReturning) {
    return <Navigate to={paths.quoteEdit(ongoing.uuid, params)} replace />;
  }
  return <NewQuoteForm {...props} draft={draft} ongoing={ongoing} />;
}

interface NewQuoteFormProps extends DraftLoaderProps {
  draft: Draft | null;
  ongoing: LastQuote | null;
}

/**
 * Returns the first answers: the draft's or the product's defaults, with the preset's answers. The
 * answers of a draft that already has this preset stay. Throws a `PageError` 404 for an unknown
 * preset.
 */
export function startOf(product: Product, preset: string | undefined, draft: Draft | null) {
  const base = draft ? restoreAnswers(product.form, draft.answers) : initialAnswers(product.form);
  if (preset === undefined || draft?.preset === preset) return base;
  if (!Object.hasOwn(product.info.presets, preset)) throw new PageError(404, NOT_FOUND);
  return { ...base, values: { ...base.values, ...product.info.presets[preset] } };
}

function NewQuoteForm({ product, stepper, preset, onClear, draft, ongoing }: NewQuoteFormProps) {
  const { form, info } = product;
  const scope = info.product_identifier;
  const [start] = useState(() => {
    const answers = startOf(product, preset, draft);
    if (!draft) seedPriceCache(product, answers);
    return {
      answers,
      changed: draft !== null,
      prefilled: draft?.prefilled,
      asOf: draft ? todayInLondon(new Date(draft.at)) : dayOfForm(form, todayInLondon()),
    };
  });
  const { create, showCreated } = useCreate(product, stepper);
  const toPayment = useToPayment();
  const journey = useJourney({
    form,
    info,
    stepper,
    start,
    saved: false,
    open: true,
    save: async (serialised, lookups) => showCreated(await create(serialised, lookups), serialised),
  });
  const { answers } = journey.api;
  const { changed, prefilled, dispatch } = journey;
  // The button "Clear my answers" stays even after the answers are saved, so that the page does not
  // move.
  const [wasChanged, setWasChanged] = useState(changed);
  if (changed && !wasChanged) setWasChanged(true);
  const [hasTokens] = useState(() => quotesWithToken().length > 0);
  const [autoRenew, setAutoRenew] = useState(false);
  const exclusions = useExclusionAnswers(null, {});
  const [initialStep] = useState(journey.current?.number);

  useEffect(() => {
    if (changed) writeDraft(scope, { answers, preset, prefilled: prefilled ?? undefined });
    else removeDraft(scope);
  }, [scope, answers, preset, prefilled, changed]);

  const { data: profile } = useProfile();
  useEffect(() => {
    // This also runs after a logout, and then removes the answers from the last person's profile.
    if (profile === undefined) return;
    const person = profile && { user: profile.user_uuid, answers: answersOf(profile) };
    dispatch({ type: 'prefill', form, person });
  }, [profile, form, dispatch]);

  // Saves and accepts the unsaved quote on its last step, then opens the payment.
  const pay = (shownAmount: number | null) =>
    journey.run('pay', async () => {
      if (!journey.current) return;
      const errors = await journey.checkStep(journey.current, answers);
      if (countErrors(errors) > 0) return journey.reveal(errors);
      const serialised = journey.serialised();
      const created = await create(serialised, journey.lookups());
      if (created.status_id !== STATUS.quote) return showCreated(created, serialised);
      try {
        const accepted = await acceptQuote(created.uuid, created.revision_id, {
          autoRenew,
          exclusions: exclusions.exclusionAnswers,
        });
        if (shownAmount !== null && shownAmount !== accepted.amount_due) {
          showSnackbarAhead(PRICE_MOVED);
          return showCreated(created, serialised);
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === NO_GATEWAY) void refreshSite();
        showSnackbarAhead(failureText(error));
        return showCreated(created, serialised);
      }
      await toPayment(created.uuid);
    });

  const clear = async () => {
    if (!(await confirm(CLEAR))) return;
    await clearAnswers();
    if (journey.steps[0]) journey.goTo(journey.steps[0].number, { replace: true });
    onClear();
    // The pressed button no longer exists, so the page scrolls to the top and focuses the main
    // element.
    window.scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
    showSnackbar('Your answers are cleared.');
  };
  const clearButton = (
    <Button variant="default" size="sm" onClick={() => void clear()}>
      Clear my answers
    </Button>
  );

  const { data: saved } = useQuoteRead(changed ? null : (ongoing?.uuid ?? null));
  let notice: ReactNode = null;
  if (draft && initialStep === journey.current?.number) {
    notice = (
      <StepNotice text="Welcome back. We kept your answers in this browser.">
        {clearButton}
      </StepNotice>
    );
  } else if (ongoing && saved && !changed && OPEN_STATUSES.includes(saved.info.status_id)) {
    notice = (
      <StepNotice text={`You have a saved quote, ${ongoing.custom_id}.`}>
        <Button variant="default" size="sm" component={AppLink} to={paths.quoteEdit(ongoing.uuid)}>
          Continue with it
        </Button>
        {clearButton}
      </StepNotice>
    );
  }

  return (
    <JourneyView
      Body={LazyBody}
      journey={journey}
      form={form}
      info={info}
      quote={null}
      notice={notice}
      autoRenew={{ isOn: autoRenew, onChange: setAutoRenew }}
      exclusions={exclusions}
      onPay={(shownAmount) => void pay(shownAmount)}
      onClear={wasChanged || hasTokens ? () => void clear() : undefined}
    />
  );
}

/** Returns the answers from the profile of the person logged in, by field name. */
function answersOf(profile: Profile): Values {
  const values: Values = {};
  for (const [name, value] of Object.entries(profile)) {
    if (typeof value === 'string') values[name] = value;
  }
  return values;
}
