import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';

// The day of the tests' fixtures, on which their start dates can be chosen. The time runs on from
// there; timers are real.
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

// The longest wait for an element. The default of a second is too short on a busy machine.
configure({ asyncUtilTimeout: 5000 });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // The visitor has logged in here before, so the profile is read.
  localStorage.setItem('layby.session', '"before"');
});

afterEach(() => {
  cleanup();
});
