import type { QuotePrice } from '../../../api/types';
import { MoneyLines } from '../../../shared/money/MoneyLines';
import { Panel } from '../../../ui/basics/Panel';

export function PriceTable({ price, paid: amountPaid }: { price: QuotePrice; paid: number }) {
  return (
    <Panel title="Price">
      <MoneyLines
        caption="How your price is made up"
        lines={price.lines}
        totals={[
          { label: `Total for the ${price.per}`, amount: price.amount_total },
          { label: 'Paid', amount: amountPaid },
        ]}
        currency={price.currency}
      />
    </Panel>
  );
}
