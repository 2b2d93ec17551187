import type { QuotePrice } from '../../../api/types';
import { Panel } from '../../../components/basics/Panel';
import { MoneyLines } from '../../../components/money/MoneyLines';

export function PriceTable({ price, paid }: { price: QuotePrice; paid: number }) {
  return (
    <Panel title="Price">
      <MoneyLines
        caption="How your price is made up"
        lines={price.lines}
        totals={[
          { label: `Total for the ${price.per}`, amount: price.amount_total },
          { label: 'Paid', amount: paid },
        ]}
        currency={price.currency}
      />
    </Panel>
  );
}
