import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { savedQuote } from '../../../testing/data';
import { Purchase } from './Purchase';

test('names the partner who brought the quote', () => {
  const aggregator = { id: 1, name: 'Compare Example', identifier: 'compare', logo_url: '/l.svg' };
  const { info } = savedQuote('0197f3c2-0000-7000-8000-000000000001', 'BRK1', { aggregator });
  render(
    <MantineProvider env="test">
      <Purchase info={info} plan={null} />
    </MantineProvider>,
  );
  expect(screen.getByText('In association with:')).toBeTruthy();
  expect(screen.getByText('Compare Example')).toBeTruthy();
});
