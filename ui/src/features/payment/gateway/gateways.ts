// The names of all gateways. The server's settings say which are offered.

interface Gateway {
  /** The name in a list. */
  name: string;
  /** The name in a sentence. */
  inText: string;
  /** The sentence that names the card processor. */
  handles: string;
}

const handledBy = (name: string): Gateway => ({
  name,
  inText: name,
  handles: `Your card is handled by ${name}. We never see its number.`,
});

const GATEWAYS: Readonly<Record<string, Gateway>> = {
  sandbox: {
    name: 'Test gateway',
    inText: 'the test gateway',
    handles: 'Card payments are processed by our built-in test gateway.',
  },
  stripe: handledBy('Stripe'),
  globalpayments: handledBy('Global Payments'),
  opayo: handledBy('Opayo'),
};

export function gatewayOf(provider: string): Gateway {
  return (Object.hasOwn(GATEWAYS, provider) && GATEWAYS[provider]) || handledBy(provider);
}

/**
 * Returns the gateway to pay with: the gateway in the address if the shop offers it, else the only
 * one. Returns null if there is none, or the customer must choose.
 */
export function gatewayToUse(offered: readonly string[], named: string | null): string | null {
  if (named !== null && offered.includes(named)) return named;
  return offered.length === 1 ? (offered[0] ?? null) : null;
}
