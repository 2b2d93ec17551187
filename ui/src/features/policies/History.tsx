import type { Adjustment } from '../../api/policyTypes';
import { Panel } from '../../components/basics/Panel';
import { changeText } from '../../components/cover/changeText';
import { formatDate, formatDateTime } from '../../lib/dates';
import { formatMoney } from '../../lib/money';
import life from './Life.module.css';

function moneyText({ amount_now: amount }: Adjustment, currency?: string): string {
  if (amount > 0) return `You paid ${formatMoney(amount, currency)}.`;
  if (amount < 0) return `${formatMoney(-amount, currency)} came back to you.`;
  return 'The price stayed the same.';
}

interface Props {
  adjustments: Adjustment[] | undefined;
  currency?: string;
}

/** The changes that were made. If the list can't be loaded, nothing is shown. */
export function History({ adjustments, currency }: Props) {
  const made = adjustments?.filter((each) => each.status === 'applied') ?? [];
  if (made.length === 0) return null;
  return (
    <Panel title="Changes so far">
      <ol className={life.history}>
        {made.map((each) => (
          <li key={each.adjustment_id}>
            <h3 className={life.subtitle}>From {formatDate(each.effective_date)}</h3>
            <ul className={life.changes}>
              {each.changes.map((change) => (
                <li key={`${change.kind} ${change.path}`}>
                  {change.label}: {changeText(change)}
                </li>
              ))}
            </ul>
            <p className={life.small}>
              {moneyText(each, currency)}
              {each.applied && ` Made ${formatDateTime(each.applied)}.`}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
