import { VisuallyHidden } from '@mantine/core';
import { formatMoney } from '../../lib/money';
import classes from './MoneyLines.module.css';

interface Props {
  caption: string;
  lines: { label: string; amount: number; code?: string; note?: string | null }[];
  /** What the lines add up to, and what there is to say of that. */
  totals: { label: string; amount: number }[];
  currency?: string;
  /** Differences say which way they go. */
  signed?: boolean;
}

/** "+£3.00", "−£3.00": with a minus that lines up under a plus. */
export function formatDifference(amount: number, currency?: string): string {
  const figure = formatMoney(Math.abs(amount), currency);
  if (amount === 0) return figure;
  return `${amount > 0 ? '+' : '−'}${figure}`;
}

/** Amounts under one another and what they come to. */
export function MoneyLines({ caption, lines, totals, currency, signed = false }: Props) {
  const write = (amount: number) =>
    signed ? formatDifference(amount, currency) : formatMoney(amount, currency);
  return (
    <table className={classes.table}>
      <VisuallyHidden component="caption">{caption}</VisuallyHidden>
      <tbody>
        {lines.map((line, index) => (
          <tr key={line.code ?? `${index} ${line.label}`}>
            <th scope="row">
              {line.label}
              {line.note && <span className={classes.note}>{line.note}</span>}
            </th>
            <td>{write(line.amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {totals.map((total) => (
          <tr key={total.label}>
            <th scope="row">{total.label}</th>
            <td>{write(total.amount)}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  );
}
