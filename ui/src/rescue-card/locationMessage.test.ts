import { afterEach, expect, test, vi } from 'vitest';
import { findPlace, messageLink, messageOf } from './locationMessage';

const LAYBY = { latitude: 51.5073512, longitude: -0.1277583, accuracy: 11.2 };
const SUBJECT = { reference: 'BRK000000018', registrations: ['AB12 CDE'] };

afterEach(() => vi.unstubAllGlobals());

test('the message says who and where, and links to a map', () => {
  expect(messageOf(LAYBY, SUBJECT)).toBe(
    'I have broken down. Policy BRK000000018. AB12 CDE. I am at 51.50735, -0.12776 (within 12 m). https://maps.google.com/?q=51.50735,-0.12776',
  );
});

test('it goes to the number that reads messages, or to whom its writer chooses', () => {
  expect(messageLink('07700 900 999', 'Help & tow')).toBe('sms:07700900999?&body=Help%20%26%20tow');
  expect(messageLink(null, 'Help')).toBe('sms:?&body=Help');
});

test('a place that is not told says what to do instead', async () => {
  const fails = (code: number) =>
    vi.stubGlobal('navigator', {
      geolocation: {
        getCurrentPosition: (_: unknown, fail: (e: object) => void) => fail({ code }),
      },
    });
  fails(1);
  await expect(findPlace()).rejects.toThrow(/^This phone does not tell us where it is/);
  fails(3);
  await expect(findPlace()).rejects.toThrow(/marker post/);
  vi.stubGlobal('navigator', {});
  await expect(findPlace()).rejects.toThrow(/marker post/);
});
