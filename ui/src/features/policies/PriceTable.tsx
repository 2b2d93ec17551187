import type { QuotePrice } from '../../api/types';
import { Panel } from '../../components/Panel';
import { formatMoney } from '../../lib/money';
import classes from './Policy.module.css';

export function PriceTable({ price, paid }: { price: QuotePrice; paid: number }) {
  const money = (amount: number) => formatMoney(amount, price.currency);
  return (
    <Panel title="Price">
      <table className={classes.table}>
        <thead className={classes.hidden}>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {price.lines.map((line) => (
            <tr key={line.code}>
              <th scope="row">
                {line.label}
                {line.note && <span className={classes.note}>{line.note}</span>}
              </th>
              <td>{money(line.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total for the {price.per}</th>
            <td>{money(price.amount_total)}</td>
          </tr>
          <tr>
            <th scope="row">Paid</th>
            <td>{money(paid)}</td>
          </tr>
        </tfoot>
      </table>
    </Panel>
  );
}
