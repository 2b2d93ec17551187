import { Button, Stack, Text, Title } from '@mantine/core';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import type { ListMode } from './modes';

const TEXTS: Record<ListMode, { title: string; text: string; to: string; action: string }> = {
  policy: {
    title: 'You have no policies yet',
    text: 'Cover you buy is listed here, with its documents.',
    to: paths.home(),
    action: 'Get a quote',
  },
  quote: {
    title: 'You have no quotes waiting',
    text: 'A quote you start is kept here until you buy it or it expires.',
    to: paths.home(),
    action: 'Get a quote',
  },
  renewal: {
    title: 'You have no renewal quotes',
    text: 'When a policy is about to end, its renewal quote is listed here.',
    to: paths.dashboard('policies'),
    action: 'See your policies',
  },
};

interface Props {
  mode: ListMode;
  /** Clears the filters. Null if no filter is active. */
  onClear: (() => void) | null;
}

/** Tells the reader that a list is empty, and offers the next step. */
export function Empty({ mode, onClear }: Props) {
  const { title, text, to, action } = TEXTS[mode];
  return (
    <Stack gap="sm" align="flex-start" className="panel">
      <Title order={2} size="lg">
        {onClear ? 'Nothing matches these filters' : title}
      </Title>
      <Text mb="xs">
        {onClear ? 'Try fewer letters or other statuses, or see everything again.' : text}
      </Text>
      {onClear ? (
        <Button onClick={onClear}>Clear filters</Button>
      ) : (
        <Button component={AppLink} to={to}>
          {action}
        </Button>
      )}
    </Stack>
  );
}
