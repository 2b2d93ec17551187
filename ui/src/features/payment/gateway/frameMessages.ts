import type { PaymentStarted } from '../../../api/types';

// The messages of a gateway's page in our frame.

/** The largest accepted height of the frame, in pixels. */
const MAX_HEIGHT = 1600;

type FrameMessage = { kind: 'done'; payment: string } | { kind: 'height'; height: number };

/** Returns a value that is an object with exactly these keys. Returns null for any other value. */
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

/** The parser of each gateway's messages. The page ignores messages of other gateways. */
const READERS: Readonly<Record<string, (data: unknown) => FrameMessage | null>> = {
  sandbox: ofSandbox,
};

/** Returns the origin of the gateway's page, or null if the address is invalid. */
export function originOf(attempt: PaymentStarted): string | null {
  try {
    return new URL(attempt.url, window.location.href).origin;
  } catch {
    return null;
  }
}

/**
 * Parses a message of the gateway's page in this frame. Returns null for a message of another
 * sender, with other content, or about another attempt.
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
