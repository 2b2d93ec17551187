import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterFirstPaint } from './afterFirstPaint';

/** The requested frames, drawn when the test says so. */
const frames = new Map<number, FrameRequestCallback>();

const draw = () => {
  const callbacks = [...frames.values()];
  frames.clear();
  for (const call of callbacks) call(0);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => {
    frames.set(frames.size + 1, call);
    return frames.size;
  });
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.delete(frame));
});

afterEach(() => {
  frames.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a page that is seen begins after its first frame, once', () => {
  const work = vi.fn();
  afterFirstPaint(work);
  expect(work).not.toHaveBeenCalled();
  draw();
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(work).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(5000);
  expect(work).toHaveBeenCalledOnce();
});

test('a tab in the background begins without a frame, and not again when it is brought to the front', () => {
  const work = vi.fn();
  afterFirstPaint(work);
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledOnce();
  draw();
  vi.advanceTimersByTime(5000);
  expect(work).toHaveBeenCalledOnce();
});
