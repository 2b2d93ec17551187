import { Anchor, Container, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { type QuoteInfo, STATUS } from '../../api/types';
import { ContactBlock } from '../../components/contact/ContactBlock';
import { OtherCover } from '../../components/cover/OtherCover';
import { CurrencyProvider } from '../../components/money/currency';
import { ErrorSummary } from '../../form/ErrorSummary';
import { FormProvider } from '../../form/FormContext';
import { Stepper } from '../../form/Stepper';
import { countErrors } from '../../form/steps';
import { summarise } from '../../form/summary';
import type { Form, ProductInfo } from '../../form/types';
import { check } from '../../form/validate';
import { lastMoment } from '../../lib/dates';
import { useDocumentTitle } from '../../lib/title';
import { Assumptions } from './Assumptions';
import { BeforePaying } from './BeforePaying';
import { coverDates } from './coverDates';
import { DecidedElsewhere } from './DecidedElsewhere';
import { Hero } from './Hero';
import classes from './Journey.module.css';
import { PremiumAnnouncement, type PremiumState } from './PremiumFigure';
import { PriceBar } from './PriceBar';
import { comparedField, pricesFor } from './pricing';
import { Ratings } from './Ratings';
import type { Renewing } from './RenewByItself';
import { Review } from './Review';
import { StartDayQuestion } from './StartDayQuestion';
import { StepButtons } from './StepButtons';
import { StepCards } from './StepCards';
import { Summary, type SummaryProps } from './Summary';
import { stepperState } from './stepperState';
import { stickyTop } from './stickyTop';
import { Tiers } from './Tiers';
import { STEP_TITLE_ID } from './useArrival';
import type { Journey } from './useJourney';
import { useOptionExtra } from './useOptionExtra';
import { sourceOf, usePremium } from './usePremium';

/** From this width on the summary has its own column. */
const WIDE = '(min-width: 62.0625em)';

interface Props {
  journey: Journey;
  form: Form;
  info: ProductInfo;
  quote: QuoteInfo | null;
  holder?: string | null;
  /** Shown above the cards, such as a strip that says that a draft was kept. */
  notice?: ReactNode | ((price: PremiumState) => ReactNode);
  /** Shown with the demands and needs at the last step. */
  statement?: ReactNode;
  renewing: Renewing;
  /** Absent if the quote can't be bought as it stands. */
  onPay?: () => void;
  onStartOver?: () => void;
}

/** The steps of a quote with its summary beside them. */
export function JourneyView(props: Props) {
  const { journey, form, info, quote } = props;
  const { api, steps, current, index, isLast, busy, listed, elsewhere } = journey;
  const offered = quote !== null && quote.status_id !== STATUS.lapsed;
  const stands = journey.stands || (offered && !journey.changed);
  const [source] = useState(() => sourceOf(quote));
  const price = usePremium({
    form,
    info,
    answers: api.answers,
    state: api.state,
    stands,
    quote,
    source,
  });
  const optionExtra = useOptionExtra(form, info, api, price, source);
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
  const first = index === 0;
  const fresh = first && !quote;
  const wide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });

  useDocumentTitle(`${current?.title ?? ''} - ${info.product_title}`);
  if (!current || !stepper.visible) return null;

  const summary: SummaryProps = {
    reference: quote && `${quote.flags.policy ? 'Policy' : 'Quote'} ID: ${quote.quotePolicyID}`,
    holder: props.holder ?? null,
    aggregator: quote?.aggregator ?? null,
    price,
    dates: stepper.quoteStartDate
      ? { from: stepper.quoteStartDate, to: stepper.quoteEndDate }
      : null,
    lines: summarise(info.summary, form, api.state),
    documents: info.documents,
    heldUntil: quote && stands ? lastMoment(quote.dates.quote_expiry) : null,
    note: info.price_note,
    onEditCover: quote ? undefined : journey.editCover,
  };

  return (
    <CurrencyProvider value={stepper.currencyFormat}>
      <FormProvider
        value={{
          ...api,
          optionExtra,
          pricesFor: (field) => (field.name === compared?.name ? pricesFor(form, api.state) : null),
        }}
      >
        <Container size={1140} className={classes.page}>
          {fresh && <Hero info={info} stepper={stepper} />}
          <div className={classes.columns}>
            <div className={classes.main}>
              {info.stepper === 'generic' && !fresh && stepper.title && (
                <p className={classes.overline}>{stepper.title}</p>
              )}
              {stepper.show && (
                <Stepper
                  steps={stepper.steps}
                  current={stepper.currentStep}
                  errorCount={journey.errorCount}
                  done={(step) =>
                    step.number < current.number && countErrors(check(form, api.state, step)) === 0
                  }
                  onJump={journey.jump}
                />
              )}
              <StepTitle under={fresh} title={current.title} />
              <ErrorSummary errors={listed} elsewhere={elsewhere} onOpen={journey.open} />
              <StartDayQuestion journey={journey} />
              {typeof props.notice === 'function' ? props.notice(price) : props.notice}
              <DecidedElsewhere journey={journey} />
              <form
                noValidate
                className={classes.cards}
                inert={busy !== null}
                onSubmit={(event) => {
                  event.preventDefault();
                  if (!isLast) void journey.next();
                }}
              >
                {isLast && <Review journey={journey} info={info} statement={props.statement} />}
                <StepCards journey={journey} step={current} fixed={isLast} />
                {/* Enter in a field does what Next does. */}
                <button type="submit" hidden disabled={isLast} />
              </form>
              {!fresh && <Assumptions assumptions={info.assumptions} />}
              {isLast && props.onPay && (
                <BeforePaying
                  stepper={stepper}
                  premium={price.premium}
                  renewing={props.renewing}
                  leadDays={info.renewal_lead_days}
                />
              )}
              <StepButtons journey={journey} onPay={props.onPay} />
              {props.onStartOver && (
                <Anchor
                  component="button"
                  type="button"
                  className={classes.startOver}
                  onClick={props.onStartOver}
                >
                  Start over
                </Anchor>
              )}
            </div>
            {wide && (
              <aside aria-label="Your cover">
                <div ref={stickyTop} className={classes.sticky}>
                  <Summary {...summary} />
                </div>
              </aside>
            )}
          </div>
          {fresh && compared && <Tiers field={compared} chosen={stepper.coverLevel} />}
          {!wide && (
            <>
              <div className={classes.below}>
                <Ratings />
                <ContactBlock />
              </div>
              <PriceBar {...summary} />
            </>
          )}
          {fresh && <OtherCover except={info.product_identifier} />}
          <PremiumAnnouncement {...price} />
        </Container>
      </FormProvider>
    </CurrencyProvider>
  );
}

/** The title of a step. Under the page's headline it is visible to screen readers only. */
function StepTitle({ under, title }: { under: boolean; title: string }) {
  if (under) {
    return (
      <VisuallyHidden component="h2" id={STEP_TITLE_ID} tabIndex={-1}>
        {title}
      </VisuallyHidden>
    );
  }
  return (
    <h1 id={STEP_TITLE_ID} tabIndex={-1} className={classes.title}>
      {title}
    </h1>
  );
}
