import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PAUSE_MS, REMOVE_AFTER_MS } from '../../lib/messages/announce';
import { confirm } from '../../lib/messages/confirm';
import { clearSnackbar, leaveSnackbar, showSnackbar } from '../../lib/messages/snackbar';
import { show } from '../testing';
import { Announcer } from './Announcer';
import { ConfirmHost } from './ConfirmHost';
import { PageSkeleton } from './PageSkeleton';
import { RetryLine } from './RetryLine';
import { SNACKBAR_MS, Snackbar } from './Snackbar';

afterEach(clearSnackbar);

describe('the snackbar', () => {
  test('opens when a message is set and clears when it is closed', async () => {
    show(<Snackbar />);
    expect(screen.getByRole('status').textContent).toBe('');
    act(() => showSnackbar('Quote created successfully.'));
    expect(screen.getByRole('status').textContent).toContain('Quote created successfully.');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('status').textContent).toBe('');
  });

  test('a message whose Close has the focus stays when the pointer has left it', () => {
    vi.useFakeTimers();
    show(<Snackbar />);
    const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
    act(() => showSnackbar('First.'));
    const bar = screen.getByText('First.').parentElement as HTMLElement;
    act(() => screen.getByRole('button', { name: 'Close' }).focus());
    fireEvent.pointerEnter(bar);
    fireEvent.pointerLeave(bar);
    pass(SNACKBAR_MS + 1);
    expect(screen.getByText('First.')).toBeTruthy();
    vi.useRealTimers();
  });

  test('a message that is removed under the pointer does not delay the next one', () => {
    vi.useFakeTimers();
    show(<Snackbar />);
    const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
    act(() => showSnackbar('First.'));
    fireEvent.pointerEnter(screen.getByText('First.').parentElement as HTMLElement);
    pass(SNACKBAR_MS + 1);
    expect(screen.getByText('First.')).toBeTruthy();
    // The visitor leaves the message's page, without a pointer event.
    act(leaveSnackbar);
    act(() => showSnackbar('Second.'));
    pass(SNACKBAR_MS + 1);
    expect(screen.queryByText('Second.')).toBeNull();
    vi.useRealTimers();
  });
});

describe('a text that appears on the page later', () => {
  const region = () => screen.getByRole('log', { name: 'Announcements' });
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.advanceTimersByTime(REMOVE_AFTER_MS);
    vi.useRealTimers();
  });

  test('is announced once, in a live region that was there before', () => {
    const line = (retrying: boolean) => (
      <MantineProvider env="test">
        <Announcer />
        <PageSkeleton key={String(retrying)} label="Loading your policy" />
        <RetryLine
          text="The prices could not be loaded."
          read={{ isValidating: retrying, mutate: () => {} }}
        />
      </MantineProvider>
    );
    const { rerender } = render(line(false));
    expect(region().textContent).toBe('');
    // There is no second live region.
    expect(screen.queryByRole('status')).toBeNull();
    pass(PAUSE_MS);
    const announcements = ['Loading your policy', 'The prices could not be loaded.'];
    const texts = () => [...region().children].map((each) => each.textContent);
    expect(texts()).toEqual(announcements);
    // A new placeholder with the same text is not announced again.
    rerender(line(true));
    pass(PAUSE_MS);
    expect(texts()).toEqual(announcements);
    pass(REMOVE_AFTER_MS);
    expect(texts()).toEqual([]);
    // The second try has failed too.
    rerender(line(false));
    pass(PAUSE_MS);
    expect(texts()).toEqual(announcements);
  });

  test('is not announced if it disappears at once', () => {
    const { rerender } = render(
      <MantineProvider env="test">
        <Announcer />
        <PageSkeleton label="Loading your policy" />
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

  test('is persistent: a click beside it does not close it', async () => {
    show(<ConfirmHost />);
    const answer = confirm({ message: 'Really?' });
    await screen.findByText('Really?');
    await userEvent.click(document.querySelector('.mantine-Modal-overlay') as Element);
    await userEvent.click(document.querySelector('.mantine-Modal-inner') as Element);
    expect(screen.getByText('Really?')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await answer).toBe(false);
  });

  test('ends with Escape, which answers No', async () => {
    show(<ConfirmHost />);
    const answer = confirm({ message: 'Really?' });
    await screen.findByText('Really?');
    await userEvent.keyboard('{Escape}');
    expect(await answer).toBe(false);
    await waitFor(() => expect(screen.queryByText('Really?')).toBeNull());
  });

  test('focuses the button that changes nothing', async () => {
    show(<ConfirmHost />);
    const answer = confirm({ message: 'Really?', yes: 'Remove it', cancel: 'Keep it' });
    const keep = await screen.findByRole('button', { name: 'Keep it' });
    await waitFor(() => expect(document.activeElement).toBe(keep));
    await userEvent.keyboard('{Enter}');
    expect(await answer).toBe(false);
  });

  test('restores the focus to the element that opened it', async () => {
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
