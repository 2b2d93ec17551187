import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Reply, refuse, sent, startServers } from '../../api/testing';
import { profileOf } from '../../testing/data';
import { show } from '../../ui/testing';
import { LoginForm } from './LoginForm';

afterEach(() => {
  vi.unstubAllGlobals();
});

const LOGIN = 'POST /api/login';

describe('the login form', () => {
  const fill = async (password: string) => {
    await userEvent.type(screen.getByLabelText('Username'), 'ann');
    await userEvent.type(screen.getByLabelText('Password'), password);
  };

  test('Login waits until both fields are filled, and says what is missing', async () => {
    show(<LoginForm />);
    const description = (element: HTMLElement) =>
      document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent;
    expect(description(screen.getByLabelText('Username'))).toBe(
      'The email address that you log in with.',
    );
    const button = screen.getByRole('button', { name: 'Login' }) as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    expect(description(button)).toBe('Enter your username and password.');
    await userEvent.type(screen.getByLabelText('Username'), 'ann');
    expect(button.disabled).toBe(true);
    expect(description(button)).toBe('Enter your password.');
    await userEvent.type(screen.getByLabelText('Password'), 'secret');
    expect(button.disabled).toBe(false);
    expect(screen.queryByText(/^Enter your/)).toBeNull();
    await userEvent.clear(screen.getByLabelText('Username'));
    expect(description(button)).toBe('Enter your username.');
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
    let give: (reply: Reply<typeof LOGIN>) => void = () => {};
    const reply = new Promise<Reply<typeof LOGIN>>((resolve) => {
      give = resolve;
    });
    startServers({ [LOGIN]: () => reply });
    show(<LoginForm />);
    await fill('wrong{Enter}');
    expect(screen.getByRole('button', { name: 'Working...' })).toBeTruthy();
    give(refuse(422, 'The username or password is wrong.'));
    expect(await screen.findByText('The username or password is wrong.')).toBeTruthy();
    expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('ann');
  });

  test('success clears the fields and calls onDone', async () => {
    const calls = startServers({
      [LOGIN]: () => ({}),
      'GET /api/v1/profile': () => profileOf({ user_username: 'ann' }),
    });
    const onDone = vi.fn();
    show(<LoginForm onDone={onDone} />);
    await fill('right{Enter}');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(sent(calls, LOGIN).map(({ body }) => body)).toEqual([
      { username: 'ann', password: 'right', remember: true },
    ]);
    await waitFor(() =>
      expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe(''),
    );
  });
});
