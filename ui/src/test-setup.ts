import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';

// What is awaited is awaited for as long as a busy machine may take; a second was too short.
configure({ asyncUtilTimeout: 4000 });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  cleanup();
});
