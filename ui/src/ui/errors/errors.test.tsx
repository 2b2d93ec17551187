import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../api/client';
import { NOT_FOUND, PageError } from '../../lib/routes/guards';
import { show } from '../testing';
import { ErrorBody } from './ErrorBody';
import { ErrorPageFallback } from './ErrorPageFallback';

function Broken(): ReactNode {
  throw new Error('again');
}

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
    expect(text).toContain('call our team on 0330 123 4567 or email help@layby.example.');
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
      <ErrorPageFallback>
        <Broken />
      </ErrorPageFallback>,
    );
    expect(screen.getByText('An error occurred while showing the error page')).toBeTruthy();
    expect(screen.getByRole('link').getAttribute('href')).toBe('/');
  });
});
