import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { PRODUCT } from '../../testing/products/product';
import { show } from '../../ui/testing';
import { CoverMap } from './CoverMap';

vi.mock('./Outlines', () => {
  throw new Error('the network is away');
});

test('without its drawing the map still has its text', async () => {
  const { coverage_map: coverage } = PRODUCT.info;
  const level = coverage?.levels[0];
  if (!coverage || !level) throw new Error('the fixture has no map');
  const { container } = show(<CoverMap coverage={coverage} level={level} name="Local" chosen />);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(container.querySelector('svg')).toBeNull();
  expect(screen.getByText(/^We come to you anywhere/)).toBeTruthy();
});
