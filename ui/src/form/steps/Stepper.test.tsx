import { readFileSync } from 'node:fs';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { STEPS } from '../../testing/products/product';
import { Stepper } from './Stepper';
import classes from './Stepper.module.css';

const STYLE_PATH = 'src/form/steps/Stepper.module.css';

/** Returns the stylesheet, with the class names of this test. */
function stylesheet(): string {
  return readFileSync(STYLE_PATH, 'utf8').replace(
    /\.([a-z]+)(?=[\s,:[{])/gi,
    (_, name: string) => `.${classes[name]}`,
  );
}

const style = document.createElement('style');
/** The window of happy-dom. Its width decides the media queries. */
const { happyDOM: browser } = window as unknown as {
  happyDOM: { setViewport: (size: { width: number }) => void };
};
const width = window.innerWidth;

/** Renders the steps with their stylesheet in a window of this width, in pixels. */
function show(current: number) {
  browser.setViewport({ width: current });
  style.textContent = stylesheet();
  document.head.append(style);
  const onJump = vi.fn();
  render(
    <MantineProvider env="test">
      <Stepper steps={STEPS} current={2} errorCount={1} isDone={() => false} onJump={onJump} />
    </MantineProvider>,
  );
  return onJump;
}

/** Checks whether the element and all its parents are displayed. */
function isShown(element: Element): boolean {
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (getComputedStyle(each).display === 'none') return false;
  }
  return true;
}

afterEach(() => {
  style.remove();
  browser.setViewport({ width });
});

describe.each([360, 1280])('width', (width) => {
  test('can all be opened', async () => {
    const onJump = show(width);
    const buttons = screen.getAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual([
      'Step 1: Cover type',
      '1Step 2: Your details (1 error)',
      'Step 3: Options',
      'Step 4: Payment',
    ]);
    expect(buttons.every(isShown)).toBe(true);
    const icons = buttons.map((button) => button.querySelector('svg'));
    expect(icons.every((icon) => icon !== null && isShown(icon))).toBe(true);
    expect(new Set(icons.map((icon) => icon?.innerHTML)).size).toBe(4);
    for (const button of buttons) await userEvent.click(button);
    expect(onJump.mock.calls).toEqual([[1], [2], [3], [4]]);
  });

  test(`say where one is in ${width === 360 ? 'a line' : 'the titles'}`, () => {
    show(width);
    const line = screen.getByText(/of 4/);
    expect(line.textContent).toBe('Step 2 of 4: Your details');
    expect(isShown(line)).toBe(width === 360);
  });
});
