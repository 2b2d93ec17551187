import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';

// The longest wait for something to appear; the default of a second is too short on a busy machine.
configure({ asyncUtilTimeout: 4000 });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // The visitor has logged in here once, so the server is asked who it is.
  localStorage.setItem('layby.session', '"before"');
});

afterEach(() => {
  cleanup();
});
