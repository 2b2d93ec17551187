// What customers are told of the gateways there are; the server's settings say which are offered.

interface Gateway {
  /** Its name among others. */
  name: string;
  /** Its name in a sentence. */
  inText: string;
  /** The sentence that says who handles the card. */
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
 * The gateway to pay with: the one that the address names if it is offered, else the only one there
 * is. Null where there is none, or where the customer is yet to choose.
 */
export function gatewayToUse(offered: readonly string[], named: string | null): string | null {
  if (named !== null && offered.includes(named)) return named;
  return offered.length === 1 ? (offered[0] ?? null) : null;
}
