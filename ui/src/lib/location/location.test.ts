import { afterEach, expect, test, vi } from 'vitest';
import { accuracyText, findPlace, messageLink, messageOf, messageTime } from './location';

const LAYBY = { latitude: 51.5073512, longitude: -0.1277583, accuracy: 11.2 };
const SUBJECT = { reference: 'BRK000000018', registrations: ['AB12 CDE'] };

afterEach(() => vi.unstubAllGlobals());

test('the message says who and where, and links to a map', () => {
  expect(messageOf(LAYBY, { subject: SUBJECT })).toBe(
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

test('without https the text says so, and asks the browser nothing', async () => {
  const getCurrentPosition = vi.fn();
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } });
  vi.stubGlobal('isSecureContext', false);
  await expect(findPlace()).rejects.toThrow(/no https.*marker post/);
  expect(getCurrentPosition).not.toHaveBeenCalled();
});

test('a position that is 20 km off is said to find nobody by itself', () => {
  expect(accuracyText(LAYBY)).toBe('Within 12 metres. You can read this out on the phone too.');
  const rough = { ...LAYBY, accuracy: 20_000 };
  expect(accuracyText(rough)).toMatch(/^This is only exact to 20 kilometres.*marker post/);
  expect(messageOf(rough)).toContain('(within 20 km)');
});

test('a message has the right time on a device whose clock is wrong', () => {
  const server = Date.parse('2026-11-27T14:05:00Z');
  expect(messageTime(server + 60_000, server)).toEqual({
    time: 'at 14:05 on Friday 27 November 2026',
    note: null,
  });
  const wrong = messageTime(Date.parse('2019-01-01T03:00:00Z'), server);
  expect(wrong.time).toBe('at 14:05 on Friday 27 November 2026');
  expect(wrong.note).toBe(
    'The clock of this device is wrong: it is not 03:00 on Tuesday 1 January 2019. The message has the right time.',
  );
  expect(messageTime(server, null).time).toMatch(/by the clock of my phone$/);
  expect(messageOf(LAYBY, { time: wrong.time })).toBe(
    'I have broken down. I am at 51.50735, -0.12776 (within 12 m). This was at 14:05 on Friday 27 November 2026. https://maps.google.com/?q=51.50735,-0.12776',
  );
});
