import { describe, expect, test } from 'vitest';
import { safePath, signOnAddress } from '../session/signOn';
import { NOT_FOUND, type PageError, runGuards } from './guards';

function refusal(names: string[], params = {}): PageError {
  try {
    runGuards(names, { params });
  } catch (error) {
    return error as PageError;
  }
  throw new Error('nothing was refused');
}

describe('guards', () => {
  test('an unknown guard is a 500', () => {
    for (const name of ['nobody', 'toString', '__proto__']) {
      expect(refusal([name])).toMatchObject({ status: 500, message: 'Unknown middleware' });
    }
  });

  test('an id that is no uuid is a missing page', () => {
    expect(refusal(['uuid'], { id: 'abc' })).toMatchObject({ status: 404, message: NOT_FOUND });
  });

  test('a uuid, or none where it may be left out, passes', () => {
    expect(runGuards(['uuid'], { params: {} })).toBeNull();
    const id = '0192f0aa-1111-7000-8000-000000000001';
    expect(runGuards(['uuid'], { params: { id } })).toBeNull();
  });
});

describe('sign-on', () => {
  test('the way back is a path of ours', () => {
    expect(safePath('/policy/view/1?a=b')).toBe('/policy/view/1?a=b');
    for (const path of [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      '/\n/evil.example',
      '',
      null,
      undefined,
    ]) {
      expect(safePath(path), String(path)).toBeNull();
    }
  });

  test('it is carried as state', () => {
    expect(signOnAddress('/dashboard', '/policy/view/1?a=b')).toBe(
      '/dashboard?state=%2Fpolicy%2Fview%2F1%3Fa%3Db',
    );
    expect(signOnAddress('https://id.example/?client=1', '//evil.example')).toBe(
      'https://id.example/?client=1&state=%2F',
    );
    expect(signOnAddress('https://id.example/in#top', '/dashboard')).toBe(
      'https://id.example/in?state=%2Fdashboard#top',
    );
  });
});
