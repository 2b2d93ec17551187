import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { PolicyTerm } from '../../../api/policies/policyTypes';
import { UUID } from '../../../testing/data';
import { activity, day, ending, forgetAll, hold, read, term } from '../../../testing/policy';
import { visit } from '../../../testing/server';
import { SuccessScreen } from './SuccessScreen';

afterEach(forgetAll);

const open = (policy: PolicyTerm, info = {}) => {
  hold(() => read(policy, info));
  visit({ '/payment/success/:id': <SuccessScreen uuid={UUID} /> }, `/payment/success/${UUID}`);
};

const BUTTON = { name: 'Add to calendar' };
const THANKS = { level: 1, name: 'Thank you. Your policy is set up' };

async function download(): Promise<string> {
  const files: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob);
    return 'blob:calendar';
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await userEvent.click(await screen.findByRole('button', BUTTON));
  expect((click.mock.instances[0] as unknown as HTMLAnchorElement).download).toBe(
    'BRK100000001.ics',
  );
  return ((await files[0]?.text()) ?? '').replaceAll('\r\n ', '');
}

test('the cover is offered for the calendar, with its days and the number', async () => {
  open(term());
  const text = await download();
  expect(text).toContain(`DTSTART;VALUE=DATE:${day(264).replaceAll('-', '')}`);
  expect(text).toMatch(/Policy BRK100000001\. Broken down\? Call [\d ]+\./);
  expect(text).toContain(`/policy/view/${UUID}`);
});

test('cover that ends early has its own last day in the file', async () => {
  open(term({ pending_cancellation: ending() }));
  const text = await download();
  expect(text).toContain(`DTSTART;VALUE=DATE:${day(20).replaceAll('-', '')}`);
  expect(text).not.toContain(day(264).replaceAll('-', ''));
});

test('cover that ends before it begins is not offered for the calendar', async () => {
  open(term({ pending_cancellation: ending({ last_day: null }) }));
  await screen.findByRole('heading', THANKS);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.queryByRole('button', BUTTON)).toBeNull();
});

test('cover that was cancelled is not offered for the calendar', async () => {
  open(term({ cancellation: activity() }), { status_id: 8, status_title: 'Cancelled' });
  await screen.findByText(/^Your reference is/);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.queryByRole('heading', THANKS)).toBeNull();
  expect(screen.queryByRole('button', BUTTON)).toBeNull();
});
