import { Anchor, Button, Text } from '@mantine/core';
import { ApiError } from '../../../api/client';
import { reasonOf } from '../../../api/failure';
import { useSite } from '../../../api/hooks';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine } from '../../../ui/feedback/MessagePage';
import { PaymentStack } from '../PaymentLayout';
import { useForChange } from '../paymentRoute';
import { gatewayOf } from './gateways';

/**
 * The server's error code if a gateway permanently refuses the payment, so that a retry is useless.
 */
const REFUSED = 'gateway_refused';
/** The status of the response if the gateway or the shop is unavailable. */
const UNAVAILABLE = 503;

interface Props {
  error: unknown;
  /** The uuid of the quote or change, and the failed gateway. Set to offer the other gateways. */
  paying?: { uuid: string; provider: string };
  onRetry?: () => void;
}

/** Tells that the card payment could not be opened. */
export function StartFailed({ error, paying, onRetry }: Props) {
  const isRefused = error instanceof ApiError && error.code === REFUSED;
  const isUnavailable = error instanceof ApiError && error.status === UNAVAILABLE;
  return (
    <PaymentStack role="alert">
      <Text fw={600}>We couldn't open the card payment.</Text>
      <Text>{reasonOf(error)}</Text>
      {onRetry && !isRefused && <Button onClick={onRetry}>Try again</Button>}
      {(isRefused || isUnavailable) && paying && <OtherGateways {...paying} />}
      <ContactLine />
    </PaymentStack>
  );
}

function OtherGateways({ uuid, provider }: { uuid: string; provider: string }) {
  const { data: site } = useSite();
  const change = useForChange() ? '1' : undefined;
  const otherProviders = site?.providers.filter((other) => other !== provider) ?? [];
  if (otherProviders.length === 0) return null;
  return (
    <ul className="bullets">
      {otherProviders.map((gateway) => (
        <li key={gateway}>
          <Anchor
            component={AppLink}
            underline="always"
            to={paths.payment(uuid, { gateway, change })}
          >
            Pay with {gatewayOf(gateway).inText}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
