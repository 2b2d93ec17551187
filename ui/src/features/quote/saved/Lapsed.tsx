import type { QuoteRead } from '../../../api/types';
import type { FormState } from '../../../form/conditions/visibility';
import { expiredDates, firstDay } from '../../../form/start-date/startDate';
import type { Form } from '../../../form/types';
import { formatLongDate, todayInLondon, toIsoDate } from '../../../lib/dates/dates';
import { useMoney } from '../../../shared/money/currency';
import type { PremiumState } from '../price/PremiumFigure';

interface Props {
  quote: QuoteRead;
  form: Form;
  state: FormState;
  /** The price of the present answers. */
  price: PremiumState;
}

/**
 * Explains why a lapsed quote must be saved again. Shows the old price and the new price if the
 * prices differ.
 */
export function Lapsed({ quote, form, state, price }: Props) {
  const write = useMoney();
  const { dates, price: quoted } = quote.info;
  const today = todayInLondon();
  const answers = { values: state.values, multi: state.multi };
  const open = expiredDates(form, answers, state, today).length > 0;
  const starts = firstDay(form, answers, state);
  const dateNote =
    dates.inception !== null && starts !== null && dates.inception !== toIsoDate(starts);

  let text = 'We held the price of this quote for a while only. Save it to be able to buy it.';
  if (open) {
    text =
      'Your first day of cover has passed. Enter new dates, then save your quote to be able to buy it.';
  } else if (dateNote) {
    text = `The start day of this quote, ${formatLongDate(dates.inception)}, has passed, so we have moved the start to ${formatLongDate(starts)}: save your quote to be able to buy it.`;
  }
  const { premium, pending } = price;
  const comparable = quoted && premium && !pending && premium.basis === quoted.basis && !open;
  const differs = comparable && premium.amount !== quoted.amount_total;
  return (
    <>
      {text}
      {differs &&
        ` It was quoted at ${write(quoted.amount_total, quoted.currency)}; ${dateNote ? 'from the new day' : 'today'} it costs ${write(premium.amount, premium.currency)}.`}
    </>
  );
}
