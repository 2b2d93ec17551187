import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { serve, show } from '../../testing/server';
import { HelpScreen } from './HelpScreen';

const BREAKDOWN = {
  identifier: 'breakdown',
  product_title: 'Vehicle breakdown cover',
  phone: '01632 960 999',
  questions: [
    { question: 'When does my cover begin?', answer: '24 hours after you buy it.' },
    { question: 'How do I cancel?', answer: 'Within 14 days you get everything back.' },
  ],
};

test('questions and answers are found by their words, and the number is there', async () => {
  serve({ 'GET /api/v1/help': () => ({ data: [BREAKDOWN] }) });
  show({ '/help': <HelpScreen /> }, '/help');
  const product = await screen.findByRole('region', { name: 'Vehicle breakdown cover' });
  expect(within(product).getAllByRole('group')).toHaveLength(2);
  const call = await screen.findByRole('link', { name: /^Broken down\?/ });
  expect(call.getAttribute('href')).toMatch(/^tel:/);

  const search = screen.getByRole('searchbox', { name: 'Search the questions' });
  await userEvent.type(search, 'EVERYTHING back');
  expect(await screen.findByText('1 question')).toBeTruthy();
  expect(screen.getByText('How do I cancel?')).toBeTruthy();
  expect(screen.queryByText('When does my cover begin?')).toBeNull();
  expect(screen.getByText('Within 14 days you get everything back.')).toBeTruthy();

  await userEvent.type(search, ' spaceship');
  expect(await screen.findByText(/^No question has these words/)).toBeTruthy();
});
