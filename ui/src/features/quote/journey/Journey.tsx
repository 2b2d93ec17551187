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
import { type Reach, type Scalar, STATUS } from '../../../api/types';
import { Waiting } from '../../../components/feedback/Waiting';
import { CoverMap } from '../../../components/map/CoverMap';
import { CurrencyProvider } from '../../../components/money/currency';
import { fieldAt, readAnswer } from '../../../form/answers';
import { FormProvider } from '../../../form/FormContext';
import type { Form, Option, ProductInfo } from '../../../form/types';
import { evaluate } from '../../../form/visibility';
import type { Later } from '../../../lib/later';
import { useDocumentTitle } from '../../../lib/title';
import { whenDrawn } from '../../../lib/whenDrawn';
import { LevelStrip } from '../comparison/LevelStrip';
import { firstVehicle } from '../hero/firstVehicle';
import { Hero } from '../hero/Hero';
import { pathOfWayIn, WayIn } from '../hero/WayIn';
import type Vehicle from '../hero/WayInVehicle';
import { PremiumAnnouncement } from '../price/PremiumFigure';
import { comparedField, pricesFor, withAssumed } from '../price/pricing';
import { useOptionExtra } from '../price/useOptionExtra';
import { sourceOf, usePremium } from '../price/usePremium';
import { coverDates } from '../start-date/coverDates';
import { stepperState } from '../steps/stepperState';
import { Afterwards } from './InTurn';
import classes from './Journey.module.css';
import type { Around, BodyProps } from './JourneyBody';
import type { Journey } from './useJourney';

/** Where it can't be loaded, the vehicle is asked about on its own card. */
const WayInVehicle = lazy<ComponentType<ComponentProps<typeof Vehicle>>>(() =>
  import('../hero/WayInVehicle').catch(() => ({ default: NoVehicle })),
);

function NoVehicle({ waits, onSettled }: ComponentProps<typeof Vehicle>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onSettled` is a new function at each render
  useEffect(() => {
    if (waits) onSettled(true);
  }, [waits]);
  return null;
}

const withoutPrice = () => null;

/** From this width on the summary has its own column. */
const WIDE = '(min-width: 62.0625em)';

interface Props extends Around {
  journey: Journey;
  form: Form;
  info: ProductInfo;
  /** What is under the headline. Where a quote begins it comes after the headline stands. */
  Body: ComponentType<BodyProps> & Partial<Later>;
}

/** The steps of a quote with its summary beside them. */
export function JourneyView(props: Props) {
  const { journey, form, info, Body, ...around } = props;
  const { quote } = around;
  const { api, steps, current, index } = journey;
  const [wanted, setWanted] = useState<{ question: string } | null>(null);
  const want = (question: string) => setWanted({ question });
  const [waits, setWaits] = useState(false);
  const offered = quote !== null && quote.status_id !== STATUS.lapsed;
  const stands = journey.stands || (offered && !journey.changed);
  const [source] = useState(() => sourceOf(quote));
  const { priced } = journey;
  const first = index === 0;
  const fresh = first && !quote;
  const vehicle = fresh ? firstVehicle(form, info, journey) : null;
  // A vehicle has its own price, or none while it is unknown or can't be covered.
  const isPriced = !vehicle || (vehicle.isKnown && vehicle.verdict === 'accepted');
  const price = usePremium({ form, info, ...priced, stands, quote, source, isPriced });
  const assumed = useMemo(() => {
    const answers = withAssumed(info, priced.answers);
    return { answers, state: answers === priced.answers ? priced.state : evaluate(form, answers) };
  }, [info, form, priced]);
  const extraOf = useOptionExtra(form, info, assumed, price, source);
  const optionExtra = isPriced ? extraOf : withoutPrice;
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
  const arrived = useCodeOf(Body);
  const [inTurn, setInTurn] = useState(fresh && !arrived);
  // A first step that is gone back to is as it was left.
  if (!fresh && inTurn) setInTurn(false);
  if (!fresh && wanted) setWanted(null);
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });

  useDocumentTitle(`${current?.title ?? ''} - ${info.product_title}`);
  if (!current || !stepper.visible) return null;

  const { reach } = info;
  const { home } = api.answers;
  const lives = home && readAnswer(api.answers, home.path) === home.of;
  const mapOf = (name: string) => {
    const level = reach?.field === name && levelOf(reach, api.state.values[name]);
    if (!reach || !level) return null;
    const option = optionsOf(form, name).find((each) => each.value === level.value);
    const chosen = api.state.values[name] === level.value;
    return (
      <CoverMap
        reach={reach}
        level={level}
        name={option?.label ?? ''}
        chosen={chosen}
        home={lives ? { name: 'Your home', ...home } : undefined}
        bare={wide && fresh}
      />
    );
  };
  const optionsShown = (name: string) =>
    Object.values(assumed.state.datasets).find((each) => each.fields[name])?.fields[name]
      ?.options ?? [];
  // The prices of the strip are for what is assumed, and so is its choice.
  const chooseLevel = (value: Option['value']) => {
    for (const [name, own] of Object.entries(withAssumed(info, api.answers).values)) {
      if (own !== api.answers.values[name]) api.change(name, own);
    }
    if (compared) api.change(compared.name, value);
  };
  const coming = (
    <div className={classes.coming} data-coming>
      {fresh ? null : <Waiting label="Loading the questions" />}
    </div>
  );
  const toLevels = () => compared && want(compared.name);
  const { way_in: wayIn } = info;
  const chooseOther = () => {
    setWaits(false);
    for (const [name, own] of Object.entries(wayIn?.other_answers ?? {})) api.change(name, own);
    toLevels();
  };
  // Its code is fetched once there is a registration to look up.
  const atPlate = wayIn && vehicle && (
    <Suspense fallback={null}>
      <WayInVehicle
        key={vehicle.plate}
        vehicle={vehicle}
        waits={waits}
        onSettled={(goesOn) => {
          setWaits(false);
          if (goesOn) toLevels();
        }}
        other={{ label: wayIn.other, onChoose: chooseOther }}
      />
    </Suspense>
  );
  const isLookedUp = wayIn && fieldAt(form, pathOfWayIn(wayIn).path)?.kind === 'vehicle_lookup';
  // Where there is room, a vehicle stands at its plate, and the levels are gone to once it can be covered.
  const begin = (typed: string | null) => {
    const comes = Boolean(typed && wide && isLookedUp);
    setWaits(comes);
    if (!comes) toLevels();
  };
  const pricesNote = isPriced ? pricesFor(form, assumed.state) : null;
  return (
    <CurrencyProvider value={stepper.currencyFormat}>
      <FormProvider
        value={{
          ...api,
          optionExtra,
          pricesFor: (field) => (field.name === compared?.name ? pricesNote : null),
          above: (field) => (!wide && field.name === compared?.name ? atPlate : null),
          picture: (field) => {
            const map = wide && fresh ? null : mapOf(field.name);
            return map && <Afterwards atOnce={!inTurn || wanted !== null}>{map}</Afterwards>;
          },
        }}
      >
        {/* What another step has at another place is another element: none is seen to move. */}
        <Container key={String(fresh)} size={1140} className={classes.page}>
          {fresh && (
            <Hero
              info={info}
              stepper={stepper}
              wayIn={
                wayIn && (
                  <>
                    <WayIn wayIn={wayIn} api={api} onBegin={begin} />
                    {wide && atPlate}
                  </>
                )
              }
              levels={
                wayIn &&
                compared &&
                vehicle?.verdict !== 'refused' && (
                  <LevelStrip
                    options={optionsShown(compared.name)}
                    chosen={stepper.coverLevel}
                    note={pricesNote}
                    priceOf={(option) => optionExtra(compared, option, { alone: true })}
                    onChoose={chooseLevel}
                  />
                )
              }
              map={wide && reach ? mapOf(reach.field) : undefined}
            />
          )}
          {arrived ? (
            <Suspense fallback={coming}>
              <Body
                {...around}
                {...{ journey, current, form, info, stepper, price, source, compared, optionExtra }}
                {...{ stands, fresh, wide, wanted }}
                decidedAbove={vehicle?.datePath ?? undefined}
                inTurn={inTurn}
                onWant={want}
              />
            </Suspense>
          ) : (
            coming
          )}
        </Container>
        <PremiumAnnouncement {...price} />
      </FormProvider>
    </CurrencyProvider>
  );
}

/**
 * Whether a component's code is there. It is rendered in slices once it arrives, whatever else changes
 * meanwhile: rendered as a whole, the questions would hold up a phone.
 */
function useCodeOf(Body: Props['Body']): boolean {
  const [arrived, setArrived] = useState(() => Body.isThere?.() ?? true);
  useEffect(() => {
    if (arrived) return;
    let left = false;
    const show = () => {
      if (!left) startTransition(() => setArrived(true));
    };
    // What can't be loaded says so where it would be rendered.
    const stop = whenDrawn(() => void Body.fetch?.().then(show, show));
    return () => {
      left = true;
      stop();
    };
  }, [Body, arrived]);
  return arrived;
}

/** What is shown of a product's reach: the chosen level, and before a choice its first. */
function levelOf(reach: Reach, chosen: Scalar | undefined) {
  return reach.levels.find((level) => level.value === chosen) ?? reach.levels[0];
}

function optionsOf(form: Form, name: string) {
  const fields = form.datasets.flatMap((dataset) => (dataset.multi ? [] : dataset.fields));
  return fields.find((field) => field.name === name)?.options ?? [];
}
