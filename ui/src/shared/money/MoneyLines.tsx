import { Text, VisuallyHidden } from '@mantine/core';
import { formatMoney } from '../../lib/format/money';
import classes from './MoneyLines.module.css';

interface Props {
  caption: string;
  lines: { label: string; amount: number; code?: string; note?: string | null }[];
  totals: { label: string; amount: number }[];
  currency?: string;
  /** Whether the amounts are differences, which `formatDifference` writes. */
  signed?: boolean;
}

/**
 * Formats an amount as "+£3.00" or "−£3.00", and zero without a sign. The minus sign is as wide as
 * the plus sign.
 */
export function formatDifference(amount: number, currency?: string): string {
  const figure = formatMoney(Math.abs(amount), currency);
  if (amount === 0) return figure;
  return `${amount > 0 ? '+' : '−'}${figure}`;
}

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
              {line.note && (
                <Text span display="block" className="hint">
                  {line.note}
                </Text>
              )}
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
