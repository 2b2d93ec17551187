import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { answerCalls } from '../../api/testing';
import { show } from '../testing';
import { LoginForm } from './LoginForm';

afterEach(() => {
  vi.unstubAllGlobals();
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
    await waitFor(() => expect(done).toHaveBeenCalled());
    expect(calls[0]).toBe('POST /api/login {"username":"ann","password":"right","remember":true}');
    await waitFor(() =>
      expect((screen.getByLabelText('Password') as HTMLInputElement).value).toBe(''),
    );
  });
});
