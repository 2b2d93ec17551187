import { Stack, Title, VisuallyHidden } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import type { PlanOffer, QuoteInfo } from '../../../api/types';
import type { SectionPart } from '../../../form/cards/Section';
import { summarise } from '../../../form/review/summary';
import { controlId } from '../../../form/state/FormContext';
import { Stepper } from '../../../form/steps/Stepper';
import { countErrors, stepOfPath } from '../../../form/steps/steps';
import type { Field, Form, Option, ProductInfo, Step } from '../../../form/types';
import { ErrorSummary } from '../../../form/validation/ErrorSummary';
import { check } from '../../../form/validation/validate';
import { lastMoment } from '../../../lib/dates/dates';
import { OtherCover } from '../../../shared/cover/OtherCover';
import { firstAmount } from '../../../shared/payment/monthlyText';
import { LinkButton } from '../../../ui/basics/LinkButton';
import { ContactBlock } from '../../../ui/contact/ContactBlock';
import { LevelComparison } from '../comparison/LevelComparison';
import { Assumptions } from '../hero/Assumptions';
import type { MonthlyChoice } from '../monthly/useMonthlyChoice';
import { useMonthlyOffer } from '../monthly/useMonthlyOffer';
import type { PremiumState } from '../price/PremiumFigure';
import { payable } from '../price/pricing';
import type { AutoRenewChoice } from '../review/AutoRenewOption';
import { BeforePaying } from '../review/BeforePaying';
import { type ExclusionAnswersProps, Exclusions } from '../review/Exclusions';
import { Review } from '../review/Review';
import type { Source } from '../start/tracking';
import { StartDayQuestion } from '../start-date/StartDayQuestion';
import { StepButtons } from '../steps/StepButtons';
import { StepCards } from '../steps/StepCards';
import type { StepperState } from '../steps/stepperState';
import { STEP_TITLE_ID } from '../steps/useStepFocus';
import { PriceBar } from '../summary/PriceBar';
import { Ratings } from '../summary/Ratings';
import { Summary, type SummaryProps } from '../summary/Summary';
import { HiddenDeclineNotices } from './HiddenDeclineNotices';
import classes from './JourneyBody.module.css';
import { StaggeredRender } from './StaggeredRender';
import { stickySidebarRef } from './stickySidebarRef';
import type { Journey } from './useJourney';

/** The texts and actions of a quote's page. */
export interface QuoteContext {
  quote: QuoteInfo | null;
  holder?: string | null;
  /** Shown above the cards, such as the notice of a stored draft. */
  notice?: ReactNode | ((price: PremiumState) => ReactNode);
  /** The statement document, below the demands and needs of the last step. */
  statement?: ReactNode;
  autoRenew: AutoRenewChoice;
  /** The saved quote's plan, and the customer's choice to pay monthly. An unsaved quote has none. */
  monthly?: { plan: PlanOffer | null; choice: MonthlyChoice };
  /** The customer's responses to the exclusions. */
  exclusions: ExclusionAnswersProps;
  /**
   * Saves the quote if necessary, and starts the payment. Undefined for a declined or referred
   * quote. `shownAmount` is the amount on the button.
   */
  onPay?: (shownAmount: number | null, isMonthly: boolean) => void;
  onClear?: () => void;
}

export interface BodyProps extends QuoteContext {
  journey: Journey;
  current: Step;
  form: Form;
  info: ProductInfo;
  stepper: StepperState;
  price: PremiumState;
  source: Source;
  /** The question whose cards show prices. */
  compared: Field | undefined;
  optionPrice: (field: Field, option: Option) => ReactNode;
  /** Whether the price of a saved quote is still valid for these answers. */
  isOfferValid: boolean;
  /** Whether `current` is the first step of an unsaved quote. */
  isFirstStepOfNew: boolean;
  isWide: boolean;
  /** The path of the answer whose refusal the page shows above the cards. */
  decidedAbove?: string;
  /** Whether the parts of the page render one after another, on a page that has just opened. */
  isStaggered: boolean;
  /** The question to scroll to. A new object makes the page scroll again. */
  scrollTarget: { question: string } | null;
  onScrollTo: (question: string) => void;
}

/** Shows the cards of a step, beside the summary. */
export default function JourneyBody(props: BodyProps) {
  const { journey, current, form, info, quote, stepper, price, compared, scrollTarget } = props;
  const { optionPrice, isOfferValid, isFirstStepOfNew, isWide } = props;
  const { api, steps, isLast, busy, listed, elsewhere } = journey;

  const offer = useMonthlyOffer({
    ...{ form, info, price, isOfferValid, source: props.source, priced: journey.priced },
    savedPlan: props.monthly?.plan ?? null,
    isShown: !isFirstStepOfNew,
  });
  const chosenPlan = props.monthly?.choice.isOn ? offer.plan : null;
  const firstPayment = chosenPlan && firstAmount(chosenPlan);
  const isUnknown = props.monthly?.choice.isOn && offer.isPending;
  const toPay = isUnknown ? null : (firstPayment ?? payable(price)?.amount ?? null);
  const pay = props.onPay && (() => props.onPay?.(toPay, chosenPlan !== null));
  const { ref: payRef, inViewport: paySeen } = useInViewport<HTMLButtonElement>();

  useEffect(() => {
    if (scrollTarget) focusQuestion(scrollTarget.question);
  }, [scrollTarget]);

  const summary: SummaryProps = {
    reference: quote && `${quote.flags.policy ? 'Policy' : 'Quote'} ID: ${quote.quotePolicyID}`,
    holder: props.holder ?? null,
    aggregator: quote?.aggregator ?? null,
    price,
    plan: offer.plan,
    isPlanPending: offer.isPending,
    dates: stepper.quoteStartDate
      ? { from: stepper.quoteStartDate, to: stepper.quoteEndDate }
      : null,
    lines: summarise(info.summary, form, api.state),
    documents: info.documents,
    priceHeldUntil: quote && isOfferValid ? lastMoment(quote.dates.quote_expiry) : null,
    note: info.price_note,
    onEditCover: quote ? undefined : journey.editCover,
  };

  // On the first step of a new quote, the choices with prices take the page's whole width.
  const splitField =
    isFirstStepOfNew && stepOfPath(compared?.name ?? '', steps, form) === current && compared?.name;
  const head = (
    <>
      {info.stepper === 'generic' && !isFirstStepOfNew && stepper.title && (
        <p className={classes.overline}>{stepper.title}</p>
      )}
      {stepper.show && (
        <Stepper
          steps={stepper.steps}
          current={stepper.currentStep}
          errorCount={journey.errorCount}
          isDone={(step) =>
            step.number < current.number && countErrors(check(form, api.state, step)) === 0
          }
          onJump={journey.jump}
        />
      )}
      <StepTitle under={isFirstStepOfNew} title={current.title} />
      <ErrorSummary errors={listed} elsewhere={elsewhere} onOpen={journey.open} />
      <StartDayQuestion journey={journey} />
      {typeof props.notice === 'function' ? props.notice(price) : props.notice}
      <HiddenDeclineNotices journey={journey} except={props.decidedAbove} />
    </>
  );
  const formOf = (part: SectionPart | undefined) => (
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
      {isLast && (
        <Exclusions
          form={form}
          info={info}
          api={api}
          price={price}
          source={props.source}
          {...props.exclusions}
        />
      )}
      <StepCards journey={journey} step={current} fixed={isLast} part={part} />
      {/* Enter in a field acts as Next, except on the last step. */}
      <button type="submit" hidden disabled={isLast} />
    </form>
  );

  const beginning = splitField && (
    <div className={classes.main} data-wide>
      {head}
      {formOf({ field: splitField, which: 'first' })}
    </div>
  );
  const columns = (
    <div className={classes.columns}>
      <div key={current.number} className={classes.main}>
        {!splitField && head}
        {formOf(splitField ? { field: splitField, which: 'rest' } : undefined)}
        {!isFirstStepOfNew && <Assumptions assumptions={info.assumptions} />}
        {isLast && pay && (
          <BeforePaying
            stepper={stepper}
            premium={price.premium}
            monthly={props.monthly && { choice: props.monthly.choice, offer }}
            firstPayment={firstPayment}
            autoRenew={props.autoRenew}
            consent={info.renewal_consent}
          />
        )}
        <StepButtons journey={journey} amount={toPay} onPay={pay} payRef={payRef} />
        {props.onClear && (
          <LinkButton size="sm" className={classes.clear} onClick={props.onClear}>
            Clear my answers
          </LinkButton>
        )}
      </div>
      {isWide && (
        <aside aria-label="Your cover">
          <div ref={stickySidebarRef} className={classes.sticky}>
            <Summary {...summary} />
          </div>
        </aside>
      )}
    </div>
  );
  const tiers = isFirstStepOfNew && compared && (
    <LevelComparison
      field={compared}
      chosen={stepper.coverLevel}
      priceOf={(option) => optionPrice(compared, option)}
      onChoose={(value) => {
        api.change(compared.name, value);
        props.onScrollTo(compared.name);
      }}
    />
  );
  const stepFooter = (
    <>
      {!isWide && (
        <Stack gap="lg" mt="xl">
          <Ratings />
          <ContactBlock />
        </Stack>
      )}
      {!isWide && (
        <PriceBar
          {...summary}
          paying={
            isLast && pay && !paySeen
              ? { amount: toPay, isWaiting: busy !== null, onPay: pay }
              : undefined
          }
        />
      )}
    </>
  );
  const others = isFirstStepOfNew && <OtherCover except={info.product_identifier} />;
  return (
    <StaggeredRender
      sections={[beginning, columns, tiers, stepFooter, others]}
      isImmediate={!props.isStaggered || scrollTarget !== null}
    />
  );
}

/** Scrolls to a question, and focuses its chosen or first answer. */
function focusQuestion(name: string) {
  requestAnimationFrame(() => {
    const first = document.getElementById(controlId(name));
    const question = first?.closest('fieldset');
    const chosen = question?.querySelector<HTMLElement>('input:checked');
    question?.scrollIntoView({ block: 'start' });
    (chosen ?? first)?.focus({ preventScroll: true });
  });
}

/** Shows the title of a step. Below the page's headline, only screen readers get this title. */
function StepTitle({ under, title }: { under: boolean; title: string }) {
  if (under) {
    return (
      <VisuallyHidden component="h2" id={STEP_TITLE_ID} tabIndex={-1}>
        {title}
      </VisuallyHidden>
    );
  }
  return (
    <Title order={1} id={STEP_TITLE_ID} tabIndex={-1}>
      {title}
    </Title>
  );
}
