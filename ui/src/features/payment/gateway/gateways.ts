// The names of the known gateways. The server's settings decide which gateways the shop offers.

interface Gateway {
  /** The name in a list. */
  name: string;
  /** The name in a sentence. */
  inText: string;
  /** The sentence that names the card processor. */
  handles: string;
  /** Whether each start of a payment makes a new page, which can be opened only once. */
  opensOnce?: true;
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
  smartpayfuse: { ...handledBy('Barclaycard'), opensOnce: true },
};

export function gatewayOf(provider: string): Gateway {
  return (Object.hasOwn(GATEWAYS, provider) && GATEWAYS[provider]) || handledBy(provider);
}

/**
 * Returns the gateway in the address if the shop offers it. If not, returns the shop's only
 * gateway. Returns null if the shop has no gateway, or if the customer must choose.
 */
export function gatewayToUse(offered: readonly string[], named: string | null): string | null {
  if (named !== null && offered.includes(named)) return named;
  return offered.length === 1 ? (offered[0] ?? null) : null;
}
