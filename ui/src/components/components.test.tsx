import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/client';
import { answerCalls } from '../api/testing';
import { PAUSE_MS, SAID_MS } from '../lib/announce';
import { confirm } from '../lib/confirm';
import { NOT_FOUND, PageError } from '../lib/guards';
import { clearSnackbar, showSnackbar } from '../lib/snackbar';
import { ErrorBody } from './errors/ErrorBody';
import { ErrorPageFailed } from './errors/ErrorPageFailed';
import { Announcer } from './feedback/Announcer';
import { ConfirmHost } from './feedback/ConfirmHost';
import { RetryLine } from './feedback/RetryLine';
import { Snackbar } from './feedback/Snackbar';
import { Waiting } from './feedback/Waiting';
import { LoginForm } from './login/LoginForm';
import { CurrencyProvider } from './money/currency';
import { Price } from './money/Price';

const SITE = { phone: '0330 123 4567', email: 'help@layby.example', brand: 'Layby' };

function show(children: ReactNode) {
  return render(
    <MantineProvider env="test">
      <SWRConfig
        value={{
          provider: () => new Map(),
          fallback: { '/api/v1/site': SITE },
          revalidateOnMount: false,
          revalidateIfStale: false,
        }}
      >
        <MemoryRouter>{children}</MemoryRouter>
      </SWRConfig>
    </MantineProvider>,
  );
}

function Broken(): ReactNode {
  throw new Error('again');
}

afterEach(() => {
  vi.unstubAllGlobals();
  clearSnackbar();
});

describe('the snackbar', () => {
  test('opens when a message is set and clears when it is closed', async () => {
    show(<Snackbar />);
    expect(screen.getByRole('status').textContent).toBe('');
    act(() => showSnackbar('Quote created successfully.'));
    expect(screen.getByRole('status').textContent).toContain('Quote created successfully.');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('status').textContent).toBe('');
  });
});

describe('a text that appears on the page later', () => {
  const region = () => screen.getByRole('log', { name: 'Announcements' });
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.advanceTimersByTime(SAID_MS);
    vi.useRealTimers();
  });

  test('is announced once, in a live region that was there before', () => {
    const line = (retrying: boolean) => (
      <MantineProvider env="test">
        <Announcer />
        <Waiting key={String(retrying)} label="Loading your policy" />
        <RetryLine text="The prices could not be loaded." retrying={retrying} onRetry={() => {}} />
      </MantineProvider>
    );
    const { rerender } = render(line(false));
    expect(region().textContent).toBe('');
    // There is no second live region.
    expect(screen.queryByRole('status')).toBeNull();
    pass(PAUSE_MS);
    const both = ['Loading your policy', 'The prices could not be loaded.'];
    const said = () => [...region().children].map((each) => each.textContent);
    expect(said()).toEqual(both);
    // Another placeholder with the same text replaces it: the wait goes on and is not announced
    // again.
    rerender(line(true));
    pass(PAUSE_MS);
    expect(said()).toEqual(both);
    pass(SAID_MS);
    expect(said()).toEqual([]);
    // The second try has failed too.
    rerender(line(false));
    pass(PAUSE_MS);
    expect(said()).toEqual(both);
  });

  test('is not announced if it disappears at once', () => {
    const { rerender } = render(
      <MantineProvider env="test">
        <Announcer />
        <Waiting label="Loading your policy" />
      </MantineProvider>,
    );
    rerender(
      <MantineProvider env="test">
        <Announcer />
      </MantineProvider>,
    );
    pass(PAUSE_MS);
    expect(region().textContent).toBe('');
  });
});

describe('the confirm dialog', () => {
  test('asks with Yes and Cancel, and answers with what was pressed', async () => {
    show(<ConfirmHost />);
    const question = { message: 'Are you sure you wish to remove this vehicle?' };

    let answer = confirm(question);
    await screen.findByText(question.message);
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await answer).toBe(true);

    answer = confirm(question);
    await screen.findByText(question.message);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await answer).toBe(false);
  });

  test('is persistent: Escape does not close it', async () => {
    show(<ConfirmHost />);
    const answer = confirm({ message: 'Really?' });
    await screen.findByText('Really?');
    await userEvent.keyboard('{Escape}');
    expect(screen.getByText('Really?')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await answer).toBe(false);
  });

  test('gives the focus back to the element that opened it', async () => {
    show(
      <>
        <button type="button" onClick={() => void confirm({ message: 'Really?' })}>
          Remove
        </button>
        <ConfirmHost />
      </>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    cancel.focus();
    await userEvent.click(cancel);
    expect(screen.queryByText('Really?')).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove' })),
    );
  });

  test('a second question answers the first with Cancel', async () => {
    const first = confirm({ message: 'First?' });
    const second = confirm({ message: 'Second?' });
    expect(await first).toBe(false);
    show(<ConfirmHost />);
    await userEvent.click(await screen.findByRole('button', { name: 'Yes' }));
    expect(await second).toBe(true);
  });
});

describe('the login form', () => {
  const fill = async (password: string) => {
    await userEvent.type(screen.getByLabelText('Username'), 'ann');
    await userEvent.type(screen.getByLabelText('Password'), password);
  };

  test('Login waits until both fields are filled', async () => {
    show(<LoginForm />);
    const button = screen.getByRole('button', { name: 'Login' }) as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    await userEvent.type(screen.getByLabelText('Username'), 'ann');
    expect(button.disabled).toBe(true);
    await userEvent.type(screen.getByLabelText('Password'), 'secret');
    expect(button.disabled).toBe(false);
  });

  test('the password shows, and hides again', async () => {
    show(<LoginForm />);
    const password = screen.getByLabelText('Password') as HTMLInputElement;
    const toggle = screen.getByRole('button', { name: 'Show password' });
    await userEvent.type(password, 'secret');
    expect(password.type).toBe('password');
    await userEvent.click(toggle);
    expect(password.type).toBe('text');
    expect(password.value).toBe('secret');
    await userEvent.click(toggle);
    expect(password.type).toBe('password');
  });

  test("Enter submits; a refusal shows the server's words and keeps what was typed", async () => {
    let reply: (response: Response) => void = () => {};
    answerCalls(() => new Promise<Response>((resolve) => (reply = resolve)));
    show(<LoginForm />);
    await fill('wrong{Enter}');
    expect(screen.getByRole('button', { name: 'Working...' })).toBeTruthy();
    reply(new Response('{"message":"The username or password is wrong."}', { status: 422 }));
    expect(await screen.findByText('The username or password is wrong.')).toBeTruthy();
    expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('ann');
  });

  test('success clears the fields and calls onDone', async () => {
    const calls: string[] = [];
    answerCalls(({ method, path, body }) => {
      calls.push(`${method} ${path} ${JSON.stringify(body)}`);
      return new Response('{}');
    });
    const done = vi.fn();
    show(<LoginForm onDone={done} />);
    await fill('right{Enter}');
    await vi.waitFor(() => expect(done).toHaveBeenCalled());
    expect(calls[0]).toBe('POST /api/login {"username":"ann","password":"right","remember":true}');
    expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe('');
  });
});

describe('the error page', () => {
  const words = (error: unknown) => {
    const { container, unmount } = show(<ErrorBody error={error} />);
    const text = container.textContent ?? '';
    unmount();
    return text;
  };

  test('404', () => {
    const text = words(new PageError(404, NOT_FOUND));
    expect(text).toContain('This page could not be found');
    expect(text).toContain(
      'Sorry, it looks like there is a problem. The requested page could not be found.',
    );
  });

  test('500, thrown by a guard or by a mistake in the code', () => {
    const oops = 'Oops, something went wrong! Please try again or call our team on 0330 123 4567';
    expect(words(new PageError(500, 'Unknown middleware'))).toContain('Unknown middleware');
    expect(words(new PageError(500, 'Unknown middleware'))).toContain(oops);
    expect(words(new TypeError('x is undefined'))).toContain(oops);
    expect(words(new TypeError('x is undefined'))).not.toContain('404');
  });

  test('anything else names the telephone and the mailbox', () => {
    const text = words(new ApiError(503, 'Busy'));
    expect(text).toContain('0330 123 4567');
    expect(text).toContain('help@layby.example');
  });

  test('that fails itself leads home', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    show(
      <ErrorPageFailed>
        <Broken />
      </ErrorPageFailed>,
    );
    expect(screen.getByText('An error occurred while showing the error page')).toBeTruthy();
    expect(screen.getByRole('link').getAttribute('href')).toBe('/');
  });
});

test('a price says its period, or that it is not known yet', () => {
  const { container, rerender } = render(<Price amount={1064.2} per="year" />);
  expect(container.textContent).toBe('£1,064.20/year');
  rerender(<Price amount={null} per="trip" />);
  expect(container.textContent).toBe('£--.--/trip');
});

test('a price is written as its product writes its money', () => {
  const { container } = render(
    <CurrencyProvider value={{ currency: 'GBP', locale: 'en-GB', format: '0,0' }}>
      <Price amount={1064} per="year" />
    </CurrencyProvider>,
  );
  expect(container.textContent).toBe('£1,064/year');
});
