import { Button, Text } from '@mantine/core';
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

/** Lets the customer continue to a gateway's page, which opens in place of ours. */
export function GatewayRedirect({
  attempt,
  provider,
}: {
  attempt: PaymentStarted;
  provider: string;
}) {
  const { inText } = gatewayOf(provider);
  const label = `Continue to ${inText}`;
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
