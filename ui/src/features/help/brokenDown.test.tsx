import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Handler, refuse, sent } from '../../api/testing';
import { serve, show } from '../../testing/server';
import { BrokenDownScreen } from './BrokenDownScreen';

const CHECK = 'POST /api/v1/cover';
const PAGE = { '/broken-down': <BrokenDownScreen /> };
const NO_COVER = { cover: 'not_found', from: null, title: null, phone: null } as const;
const COVERED = {
  cover: 'covered',
  from: null,
  title: 'Vehicle breakdown cover',
  phone: '01632 960 999',
} as const;

afterEach(() => vi.unstubAllGlobals());

function open(answer: Handler<typeof CHECK>) {
  const calls = serve({ [CHECK]: answer });
  show(PAGE, '/broken-down');
  return calls;
}

async function ask(plate: string, postcode: string) {
  await userEvent.type(await screen.findByLabelText('Registration number'), plate);
  await userEvent.type(screen.getByLabelText('Postcode'), postcode);
  await userEvent.click(screen.getByRole('button', { name: 'Check cover' }));
}

/** Returns the announced result, or null if there is none. */
function readResult(): HTMLElement | null {
  return (
    screen.queryAllByRole('status').find((each) => within(each).queryByRole('heading')) ?? null
  );
}

const findSaid = () =>
  waitFor(() => {
    const resultText = readResult();
    if (!resultText) throw new Error('nothing is said yet');
    return resultText;
  });

test('whom to call comes first, before anything is asked', async () => {
  open(() => ({ data: NO_COVER }));
  const call = await screen.findByRole('link', { name: /^Call us now/ });
  expect(call.getAttribute('href')).toMatch(/^tel:/);
  const field = screen.getByLabelText('Registration number');
  expect(call.compareDocumentPosition(field)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

describe('where one is', () => {
  const LAYBY = { latitude: 51.5073512, longitude: -0.1277583, accuracy: 11.2 };
  const share = vi.fn(async (_: { text: string }) => undefined);

  type Locate = (found: (place: object) => void, failed: (fault: object) => void) => void;

  function locate(getCurrentPosition: Locate, date: string | null) {
    const calls = serve({ [CHECK]: () => ({ data: NO_COVER }) });
    const realFetch = globalThis.fetch;
    vi.stubGlobal('fetch', async (request: Request | string, init?: RequestInit) => {
      if (init?.method !== 'HEAD') return realFetch(request, init);
      if (!date) throw new TypeError('offline');
      return new Response(null, { headers: { Date: date } });
    });
    vi.stubGlobal('navigator', {
      geolocation: { getCurrentPosition },
      share,
      userAgent: navigator.userAgent,
    });
    show(PAGE, '/broken-down');
    return calls;
  }
  const find = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Find where I am' }));

  test('is shown to everybody, to be read out or shared, and is sent to nobody else', async () => {
    const now = new Date();
    const calls = locate((found) => found({ coords: LAYBY }), now.toUTCString());
    await find();
    await screen.findByText('51.50735, -0.12776');
    await screen.findByText('Within 12 metres. You can read this out on the phone too.');
    expect(screen.queryByText(/clock/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Share it' }));
    expect(share.mock.calls[0]?.[0].text).toMatch(
      /^I have broken down\. I am at 51\.50735, -0\.12776 \(within 12 m\)\. This was at \d\d:\d\d on /,
    );
    const link = screen.getByRole('link', { name: 'Send it as a text' });
    expect(link.getAttribute('href')).toMatch(/^sms:\?&body=I%20have%20broken%20down/);
    expect(JSON.stringify(calls)).not.toContain('51.5');
  });

  test('refused or unknown says what to tell instead, and may be tried again', async () => {
    const faults = [{ code: 1 }, { code: 3 }];
    locate((_, failed) => failed(faults.shift() ?? {}), null);
    await find();
    await screen.findByText(/^This phone does not tell us where it is.*marker post/);
    await userEvent.click(screen.getByRole('button', { name: 'Find it again' }));
    await screen.findByText(/^Your phone can not find out where it is.*marker post/);
    expect(screen.queryByRole('link', { name: /as a text/ })).toBeNull();
  });

  test('of a device whose clock is wrong is sent with the right time', async () => {
    locate((found) => found({ coords: LAYBY }), 'Fri, 27 Nov 2020 14:05:00 GMT');
    await find();
    await screen.findByText(/^The clock of this device is wrong/);
    const link = screen.getByRole('link', { name: 'Send it as a text' });
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(
      'This was at 14:05 on Friday 27 November 2020.',
    );
  });
});

test('a covered vehicle is said to be covered, with the number of its cover', async () => {
  const calls = open(() => ({ data: COVERED }));
  await ask('ab12cde', 'ls6 1ab');
  const resultText = await findSaid();
  expect(within(resultText).getByRole('heading').textContent).toBe('Yes, there is cover now');
  expect(resultText.textContent).toContain('This vehicle is covered.');
  const call = within(resultText).getByRole('link');
  expect(call.getAttribute('href')).toBe('tel:01632960999');
  expect(sent(calls, CHECK).map(({ body }) => body)).toEqual([
    { registration: 'AB12CDE', postcode: 'ls6 1ab' },
  ]);
  expect(calls.every(({ path }) => !path.includes('AB12'))).toBe(true);
});

test('cover to come says from which moment on', async () => {
  open(() => ({ data: { ...COVERED, cover: 'not_yet', from: '2026-11-25T00:00:00Z' } }));
  await ask('AB12 CDE', 'LS6 1AB');
  const resultPanel = await findSaid();
  expect(resultPanel.textContent).toMatch(/begins at 00:00 on .*25 November 2026/);
  expect(resultPanel.textContent).toContain('What happens before then is not covered.');
});

test('what is not found by plate may be cover for a person, found by its number', async () => {
  const calls = open(() => ({ data: NO_COVER }));
  await ask('AB12 CDE', 'LS6 1AB');
  const resultPanel = await findSaid();
  expect(resultPanel.textContent).toContain('Cover for a person is found by its policy number.');
  expect(within(resultPanel).getByRole('link').getAttribute('href')).toMatch(/^tel:/);
  await userEvent.click(within(resultPanel).getByRole('button', { name: 'Look by policy number' }));
  expect(readResult()).toBeNull();
  const number = screen.getByRole('textbox', { name: 'Policy number' });
  await waitFor(() => expect(document.activeElement).toBe(number));
  await userEvent.type(number, 'BRK000000018');
  await userEvent.click(screen.getByRole('button', { name: 'Check cover' }));
  const secondPanel = await findSaid();
  expect(secondPanel.textContent).not.toContain('Look by policy number');
  expect(sent(calls, CHECK).at(-1)?.body).toEqual({
    reference: 'BRK000000018',
    postcode: 'LS6 1AB',
  });
});

test('an answer about what was typed before is not shown', async () => {
  let answer = (_: { data: typeof COVERED }) => {};
  open(() => new Promise((resolve) => (answer = resolve)));
  await ask('AB12 CDE', 'LS6 1AB');
  await userEvent.type(screen.getByLabelText('Registration number'), 'X');
  answer({ data: COVERED });
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Check cover' })).toHaveProperty('disabled', false),
  );
  expect(readResult()).toBeNull();
});

test('what is wrong is said at its field, and too many tries with how long to wait', async () => {
  const plate = 'Enter a UK registration number, such as AB12 CDE';
  let reply = refuse(422, 'Error.', { errors: { registration: [plate] } });
  open(() => reply);
  await ask('!', 'LS6 1AB');
  const field = await screen.findByLabelText('Registration number');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  await waitFor(() => expect(document.activeElement).toBe(field));
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(plate);

  reply = refuse(429, 'Too many attempts.', { retryAfter: 360 });
  await userEvent.click(screen.getByRole('button', { name: 'Check cover' }));
  await screen.findByText('That was too many tries. Please wait 6 minutes and try again.');
  expect(screen.getByRole('link', { name: /^Call us now/ })).toBeTruthy();
});
