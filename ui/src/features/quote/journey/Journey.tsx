import { Container } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  type ComponentProps,
  type ComponentType,
  lazy,
  Suspense,
  startTransition,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { type CoverageMap, type Scalar, STATUS } from '../../../api/types';
import { fieldAt, readAnswer } from '../../../form/answers/answers';
import { evaluate } from '../../../form/conditions/visibility';
import { FormProvider } from '../../../form/state/FormContext';
import type { Form, Option, ProductInfo } from '../../../form/types';
import { useDocumentTitle } from '../../../lib/routes/title';
import type { Preloadable } from '../../../lib/timing/lazyWithPreload';
import { onIdle } from '../../../lib/timing/onIdle';
import { CoverMap } from '../../../shared/map/CoverMap';
import { CurrencyProvider } from '../../../shared/money/currency';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { LevelStrip } from '../comparison/LevelStrip';
import { firstVehicle } from '../hero/firstVehicle';
import { Hero } from '../hero/Hero';
import type Vehicle from '../hero/HeroVehicle';
import { pathOfStartField, RegistrationForm } from '../hero/RegistrationForm';
import { PremiumAnnouncement } from '../price/PremiumFigure';
import { comparedField, pricesFor, withAssumed } from '../price/pricing';
import { useOptionExtra } from '../price/useOptionExtra';
import { sourceOf, usePremium } from '../price/usePremium';
import { offersFor, offerText } from '../start/offers';
import { coverDates } from '../start-date/coverDates';
import { stepperState } from '../steps/stepperState';
import classes from './Journey.module.css';
import type { BodyProps, QuoteContext } from './JourneyBody';
import { RenderAfterPaint } from './StaggeredRender';
import type { Journey } from './useJourney';

/** If the browser can't load this code, the vehicle's own card asks about the vehicle. */
const HeroVehicle = lazy<ComponentType<ComponentProps<typeof Vehicle>>>(() =>
  import('../hero/HeroVehicle').catch(() => ({ default: NoVehicle })),
);

function NoVehicle({ isPending, onDone }: ComponentProps<typeof Vehicle>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onDone` is a new function at each render
  useEffect(() => {
    if (isPending) onDone(true);
  }, [isPending]);
  return null;
}

const withoutPrice = () => null;

/** Matches windows that are wide enough for a column with the summary. */
const WIDE = '(min-width: 62.0625em)';

interface Props extends QuoteContext {
  journey: Journey;
  form: Form;
  info: ProductInfo;
  /** The content below the headline. A new quote loads this component when the browser is idle. */
  Body: ComponentType<BodyProps> & Partial<Preloadable>;
}

/** Shows a quote: the headline of a new quote, the steps, and the summary. */
export function JourneyView(props: Props) {
  const { journey, form, info, Body, ...context } = props;
  const { quote } = context;
  const { api, steps, current, index } = journey;
  const [scrollTarget, setScrollTarget] = useState<{ question: string } | null>(null);
  const scrollTo = (question: string) => setScrollTarget({ question });
  const [isPending, setIsPending] = useState(false);
  const offered = quote !== null && quote.status_id !== STATUS.lapsed;
  const isOfferValid = journey.isOfferValid || (offered && !journey.changed);
  const [source] = useState(() => sourceOf(quote));
  const { priced } = journey;
  const first = index === 0;
  const isFirstStepOfNew = first && !quote;
  const vehicle = isFirstStepOfNew ? firstVehicle(form, info, journey) : null;
  // The prices are for the vehicle on the first page. There are none while this vehicle is unknown,
  // undecided or refused.
  const isPriced = !vehicle || (vehicle.isKnown && vehicle.verdict === 'accepted');
  const price = usePremium({ form, info, ...priced, isOfferValid, quote, source, isPriced });
  const assumed = useMemo(() => {
    const answers = withAssumed(info, priced.answers);
    return { answers, state: answers === priced.answers ? priced.state : evaluate(form, answers) };
  }, [info, form, priced]);
  const extraOf = useOptionExtra(form, info, assumed, price, source);
  const optionPrice = isPriced ? extraOf : withoutPrice;
  const compared = comparedField(form, api.state);
  const stepper = stepperState({
    info,
    title: journey.title,
    steps,
    current,
    premium: price.premium,
    dates: coverDates(form, info, api.state, price.premium),
    compared: compared?.name,
    values: api.state.values,
  });
  const isLoaded = useIsLoaded(Body);
  const [isStaggered, setIsStaggered] = useState(isFirstStepOfNew && !isLoaded);
  // After the first step of a new quote, the page no longer renders in parts or scrolls to a
  // question.
  if (!isFirstStepOfNew && isStaggered) setIsStaggered(false);
  if (!isFirstStepOfNew && scrollTarget) setScrollTarget(null);
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });

  useDocumentTitle(`${current?.title ?? ''} - ${info.product_title}`);
  if (!current || !stepper.visible) return null;

  const { coverage_map: map } = info;
  const { home } = api.answers;
  const lives = home && readAnswer(api.answers, home.path) === home.postcode;
  const mapOf = (name: string) => {
    const level = map?.field === name && levelOf(map, api.state.values[name]);
    if (!map || !level) return null;
    const option = optionsOf(form, name).find((each) => each.value === level.value);
    const chosen = api.state.values[name] === level.value;
    return (
      <CoverMap
        coverage={map}
        level={level}
        name={option?.label ?? ''}
        chosen={chosen}
        home={lives ? { name: 'Your home', ...home } : undefined}
        isDecorative={isWide && isFirstStepOfNew}
      />
    );
  };
  const optionsShown = (name: string) =>
    Object.values(assumed.state.datasets).find((each) => each.fields[name])?.fields[name]
      ?.options ?? [];
  // The prices in the strip are for the assumed answers, so choosing a level also stores these
  // answers.
  const chooseLevel = (value: Option['value']) => {
    for (const [name, assumed] of Object.entries(withAssumed(info, api.answers).values)) {
      if (assumed !== api.answers.values[name]) api.change(name, assumed);
    }
    if (compared) api.change(compared.name, value);
  };
  const placeholder = (
    <div className={classes.placeholder} data-placeholder>
      {isFirstStepOfNew ? null : <PageSkeleton label="Loading the questions" />}
    </div>
  );
  const scrollToLevels = () => compared && scrollTo(compared.name);
  const { start_field: startField } = info;
  const chooseOther = () => {
    setIsPending(false);
    for (const [name, answer] of Object.entries(startField?.other_answers ?? {}))
      api.change(name, answer);
    scrollToLevels();
  };
  // The browser loads this code only if there is a registration to look up.
  const atPlate = startField && vehicle && (
    <Suspense fallback={null}>
      <HeroVehicle
        key={vehicle.plate}
        vehicle={vehicle}
        isPending={isPending}
        onDone={(canContinue) => {
          setIsPending(false);
          if (canContinue) scrollToLevels();
        }}
        other={{ label: startField.other, onChoose: chooseOther }}
      />
    </Suspense>
  );
  const isLookedUp =
    startField && fieldAt(form, pathOfStartField(startField).path)?.kind === 'vehicle_lookup';
  // On a wide screen the hero shows the vehicle of a typed registration, if the product looks up
  // registrations. The page then scrolls to the levels once the vehicle is accepted. In any other
  // case the page scrolls immediately.
  const begin = (typed: string | null) => {
    const isShownHere = Boolean(typed && isWide && isLookedUp);
    setIsPending(isShownHere);
    if (!isShownHere) scrollToLevels();
  };
  const pricesNote = isPriced ? pricesFor(form, assumed.state) : null;
  return (
    <CurrencyProvider value={stepper.currencyFormat}>
      <FormProvider
        value={{
          ...api,
          optionPrice,
          pricesFor: (field) => (field.name === compared?.name ? pricesNote : null),
          renderBefore: (field) => (!isWide && field.name === compared?.name ? atPlate : null),
          renderAfter: (field) => {
            const map = isWide && isFirstStepOfNew ? null : mapOf(field.name);
            return (
              map && (
                <RenderAfterPaint isImmediate={!isStaggered || scrollTarget !== null}>
                  {map}
                </RenderAfterPaint>
              )
            );
          },
        }}
      >
        {/* The first step of a new quote has its own element. In the same element, the parts of the
            next step would seem to move. */}
        <Container key={String(isFirstStepOfNew)} size={1140} className={classes.page}>
          {isFirstStepOfNew && (
            <Hero
              info={info}
              stepper={stepper}
              offers={offersFor(info, source).map((offer) => offerText(offer, info))}
              startField={
                startField && (
                  <>
                    <RegistrationForm startField={startField} api={api} onBegin={begin} />
                    {isWide && atPlate}
                  </>
                )
              }
              levels={
                startField &&
                compared &&
                vehicle?.verdict !== 'refused' && (
                  <LevelStrip
                    options={optionsShown(compared.name)}
                    chosen={stepper.coverLevel}
                    note={pricesNote}
                    priceOf={(option) => optionPrice(compared, option, { hideDifference: true })}
                    onChoose={chooseLevel}
                  />
                )
              }
              map={isWide && map ? mapOf(map.field) : undefined}
            />
          )}
          {isLoaded ? (
            <Suspense fallback={placeholder}>
              <Body
                {...context}
                {...{ journey, current, form, info, stepper, price, source, compared, optionPrice }}
                {...{ isOfferValid, isFirstStepOfNew, isWide, scrollTarget }}
                decidedAbove={vehicle?.datePath ?? undefined}
                isStaggered={isStaggered}
                onScrollTo={scrollTo}
              />
            </Suspense>
          ) : (
            placeholder
          )}
        </Container>
        <PremiumAnnouncement {...price} />
      </FormProvider>
    </CurrencyProvider>
  );
}

/**
 * Loads the code of a component while the browser is idle. Returns true after the load has
 * succeeded or failed. The component renders in a transition, because rendering the questions would
 * block a phone.
 */
function useIsLoaded(Body: Props['Body']): boolean {
  const [isLoaded, setIsLoaded] = useState(() => Body.isLoaded?.() ?? true);
  useEffect(() => {
    if (isLoaded) return;
    let hasLeft = false;
    const show = () => {
      if (!hasLeft) startTransition(() => setIsLoaded(true));
    };
    // After a failed load the component is rendered too, and reports the error.
    const stop = onIdle(() => void Body.fetch?.().then(show, show));
    return () => {
      hasLeft = true;
      stop();
    };
  }, [Body, isLoaded]);
  return isLoaded;
}

/** Returns the level on the coverage map: the chosen level, or the first level. */
function levelOf(map: CoverageMap, chosen: Scalar | undefined) {
  return map.levels.find((level) => level.value === chosen) ?? map.levels[0];
}

function optionsOf(form: Form, name: string) {
  const fields = form.datasets.flatMap((dataset) => (dataset.multi ? [] : dataset.fields));
  return fields.find((field) => field.name === name)?.options ?? [];
}
