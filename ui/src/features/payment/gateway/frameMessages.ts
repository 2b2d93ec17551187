import type { PaymentStarted } from '../../../api/types';

// What a gateway's page in our frame says to the page around it.

/** Pixels. */
const MAX_HEIGHT = 1600;

type FrameMessage = { kind: 'done'; payment: string } | { kind: 'height'; height: number };

/** The members of an object that has just these. */
function hasExactKeys(data: unknown, ...names: string[]): Record<string, unknown> | null {
  if (typeof data !== 'object' || data === null) return null;
  const keys = Object.keys(data);
  return keys.length === names.length && names.every((name) => keys.includes(name))
    ? (data as Record<string, unknown>)
    : null;
}

function ofSandbox(data: unknown): FrameMessage | null {
  const isPaymentMessage = hasExactKeys(data, 'type', 'payment');
  if (isPaymentMessage?.type === 'layby:payment' && typeof isPaymentMessage.payment === 'string') {
    return { kind: 'done', payment: isPaymentMessage.payment };
  }
  const size = hasExactKeys(data, 'type', 'height');
  if (size?.type !== 'layby:height' || typeof size.height !== 'number') return null;
  const { height } = size;
  return height > 0 && height <= MAX_HEIGHT ? { kind: 'height', height: Math.ceil(height) } : null;
}

/** How each gateway's messages are read. A gateway that isn't here has nothing to say. */
const READERS: Readonly<Record<string, (data: unknown) => FrameMessage | null>> = {
  sandbox: ofSandbox,
};

/** Where the gateway's page is, as a message names its sender. */
export function originOf(attempt: PaymentStarted): string | null {
  try {
    return new URL(attempt.url, window.location.href).origin;
  } catch {
    return null;
  }
}

/**
 * What a message says about this attempt; null if it comes from another window or host than the
 * gateway's page in this frame, or isn't one of that gateway's messages.
 */
export function parseFrameMessage(
  event: MessageEvent,
  attempt: PaymentStarted,
  provider: string,
  frame: Window | null,
): FrameMessage | null {
  if (frame === null || event.source !== frame || event.origin !== originOf(attempt)) return null;
  const read = Object.hasOwn(READERS, provider) ? READERS[provider] : undefined;
  const message = read?.(event.data) ?? null;
  if (message?.kind === 'done' && message.payment !== attempt.payment_id) return null;
  return message;
}
