import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';

// The tests' clock starts at noon on 21 November 2026 and runs from there. On that day the start
// dates of the fixtures can be chosen. Timers are real.
const STARTED = Date.now();
const NOON = Date.parse('2026-11-21T12:00:00Z');
const machineNow = Date.now;

globalThis.Date = class extends Date {
  constructor(...values: [] | ConstructorParameters<DateConstructor>) {
    super(...((values.length === 0 ? [Date.now()] : values) as [number]));
  }

  static override now(): number {
    return machineNow() - STARTED + NOON;
  }
} as DateConstructor;

// The longest wait for an element, in milliseconds. The default of a second is too short on a busy
// machine.
configure({ asyncUtilTimeout: 5000 });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // The visitor may be logged in, so the website reads the profile.
  // biome-ignore lint/suspicious/noDocumentCookie: happy-dom has no Cookie Store API
  document.cookie = 'layby_logged_in=1; Path=/';
});

afterEach(() => {
  cleanup();
});
