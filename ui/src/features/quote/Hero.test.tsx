import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '../../components/testing';
import { PRODUCT } from '../../testing/products/product';
import { Hero } from './Hero';

test('the smallest price says what it is for', () => {
  const { unmount } = show(
    <Hero info={{ ...PRODUCT.info, price_from: 28.09, price_from_for: 'one car, local' }} />,
  );
  expect(screen.getByText(/^From/).textContent).toBe('From £28.09 a year for one car, local');
  unmount();
  show(<Hero info={{ ...PRODUCT.info, price_from: 28.09, price_from_for: undefined }} />);
  expect(screen.getByText(/^From/).textContent).toBe('From £28.09 a year');
});
