import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useDocumentTitle, useFaultInTitle } from './title';

test('the title says that something is wrong for as long as anything is', () => {
  const page = renderHook(() => useDocumentTitle('My Account'));
  expect(document.title).toBe('My Account');
  const one = renderHook(({ wrong }) => useFaultInTitle(wrong), { initialProps: { wrong: true } });
  const other = renderHook(() => useFaultInTitle(true));
  page.rerender();
  expect(document.title).toBe('Error: My Account');
  one.rerender({ wrong: false });
  page.rerender();
  expect(document.title).toBe('Error: My Account');
  other.unmount();
  page.rerender();
  expect(document.title).toBe('My Account');
});
