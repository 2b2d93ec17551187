import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { QuoteInfo } from '../../api/types';
import { savedQuote } from '../../testing/server';
import { Purchase } from './Purchase';

test('names the partner who brought the quote', () => {
  const aggregator = { id: 1, name: 'Compare Example', identifier: 'compare', logo_url: null };
  const { info } = savedQuote('0197f3c2-0000-7000-8000-000000000001', 'BRK1');
  const quote = { ...info, aggregator, summary: [], product_title: 'Breakdown' };
  render(
    <MantineProvider env="test">
      <Purchase info={quote as unknown as QuoteInfo} amount={48.16} />
    </MantineProvider>,
  );
  expect(screen.getByText('In association with:')).toBeTruthy();
  expect(screen.getByText('Compare Example')).toBeTruthy();
});
