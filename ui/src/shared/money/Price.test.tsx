import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CurrencyProvider } from './currency';
import { Price } from './Price';

test('a price says its period, or that it is not known yet', () => {
  const { container, rerender } = render(<Price amount={1064.2} per="year" />);
  expect(container.textContent).toBe('£1,064.20/year');
  rerender(<Price amount={null} per="trip" />);
  expect(container.textContent).toBe('£--.--/trip');
  rerender(<Price amount={8.85} per="trip" basis="day" />);
  expect(container.textContent).toBe('from £8.85 a day');
  rerender(<Price amount={109.48} per="trip" basis="term" />);
  expect(container.textContent).toBe('£109.48/trip');
});

test('a price is written as its product writes its money', () => {
  const { container } = render(
    <CurrencyProvider value={{ currency: 'GBP', locale: 'en-GB', format: '0,0' }}>
      <Price amount={1064} per="year" />
    </CurrencyProvider>,
  );
  expect(container.textContent).toBe('£1,064/year');
});
