import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { PaymentStarted } from '../../../api/types';
import { PaymentStack } from '../PaymentLayout';
import { gatewayOf } from './gateways';
import { HiddenInputs } from './HiddenInputs';

/**
 * Returns the address of a gateway's page that opens by GET, with the fields in the query. A form
 * with GET would drop the query of the address.
 */
export function addressOf({ url, fields }: PaymentStarted): string {
  const address = new URL(url, window.location.href);
  for (const [name, value] of Object.entries(fields)) address.searchParams.append(name, value);
  return address.href;
}

/**
 * After this time, in milliseconds, the page no longer offers a signed form. Smartpay Fuse accepts
 * the form for 15 minutes.
 */
export const FORM_MS = 14 * 60_000;

interface Props {
  attempt: PaymentStarted;
  provider: string;
  /** Starts the payment again, with a new form. */
  onRestart: () => void;
}

/** Lets the customer continue to a gateway's page, which opens in place of our page. */
export function GatewayRedirect({ attempt, provider, onRestart }: Props) {
  const { inText } = gatewayOf(provider);
  const label = `Continue to ${inText}`;
  const [expired, setExpired] = useState<string>();
  const { payment_id: id } = attempt;
  useEffect(() => {
    const timer = setTimeout(() => setExpired(id), FORM_MS);
    return () => clearTimeout(timer);
  }, [id]);

  if (attempt.method === 'POST' && expired === id) {
    return (
      <PaymentStack role="alert">
        <Text>
          This page was open for a while. If you have not paid at {inText} yet, please start the
          payment again.
        </Text>
        <Button onClick={onRestart}>Start again</Button>
      </PaymentStack>
    );
  }
  return (
    <PaymentStack>
      <Text>
        You pay by card at {inText}, and come back here afterwards. Nothing is taken before you
        confirm it there.
      </Text>
      {attempt.method === 'POST' ? (
        <form method="POST" action={attempt.url}>
          <HiddenInputs fields={attempt.fields} />
          <Button type="submit">{label}</Button>
        </form>
      ) : (
        <Button component="a" href={addressOf(attempt)}>
          {label}
        </Button>
      )}
    </PaymentStack>
  );
}
