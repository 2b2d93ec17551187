import { Text } from '@mantine/core';
import { useId } from 'react';
import { Check } from '../../../ui/inputs/Check';

export interface AutoRenewChoice {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

const WEEKS = ['', 'one week', 'two weeks', 'three weeks', 'four weeks', 'five weeks', 'six weeks'];

/** Formats a number of days before the end of cover, such as "three weeks" or "10 days". */
export function formatLeadTime(days: number): string {
  return (days % 7 === 0 && WEEKS[days / 7]) || `${days} ${days === 1 ? 'day' : 'days'}`;
}

/** Asks whether the cover is to renew automatically. For a new quote the box starts unticked. */
export function AutoRenewOption({
  isOn,
  onChange,
  leadDays,
}: AutoRenewChoice & { leadDays: number }) {
  const meaning = useId();
  return (
    <div>
      <Check
        label="Renew my cover by itself each year"
        checked={isOn}
        onChange={onChange}
        aria-describedby={meaning}
      />
      <Text c="dimmed" mb="xs" id={meaning}>
        About {formatLeadTime(leadDays)} before your cover ends we write to you with the new price.
        On its last day we charge that price to the card you pay with now, and your cover goes on
        without a gap. You can switch this off with one press in your account, at any time until
        then. Unticked, nothing is charged, and your cover ends on its last day unless you renew it.
      </Text>
    </div>
  );
}
