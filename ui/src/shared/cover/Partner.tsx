import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Aggregator } from '../../api/types';

interface Props {
  aggregator: Aggregator | null;
  mb?: 'sm';
}

/** Shows the partner of a quote: the name, and the logo if the browser can load the logo. */
export function Partner({ aggregator, mb }: Props) {
  const [isLogoBroken, setIsLogoBroken] = useState(false);
  if (!aggregator) return null;
  return (
    <Stack gap="xs" mb={mb} className="hint">
      <span>In association with:</span>
      <Group gap="0.5rem 0.75rem" c="var(--layby-ink)" fz="md">
        {aggregator.logo_url && !isLogoBroken && (
          <img
            src={aggregator.logo_url}
            alt=""
            style={{ maxWidth: '9rem', maxHeight: '2.5rem' }}
            onError={() => setIsLogoBroken(true)}
          />
        )}
        <strong>{aggregator.name}</strong>
      </Group>
    </Stack>
  );
}
