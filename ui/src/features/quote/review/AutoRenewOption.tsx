import { Text } from '@mantine/core';
import { useId } from 'react';
import { Check } from '../../../ui/inputs/Check';

export interface AutoRenewChoice {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Asks whether the cover is to renew automatically. For a new quote the box starts unticked. */
export function AutoRenewOption({
  isOn,
  onChange,
  consent,
}: AutoRenewChoice & { consent: string }) {
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
        {consent} Unticked, nothing is charged, and your cover ends on its last day unless you renew
        it.
      </Text>
    </div>
  );
}
