import { Anchor, Button, Text } from '@mantine/core';
import { ApiError } from '../../../api/client';
import { reasonOf } from '../../../api/failure';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine } from '../../../ui/feedback/MessagePage';
import { PaymentStack } from '../PaymentLayout';
import { useTargetQuery } from '../paymentRoute';
import { gatewayOf } from './gateways';

/**
 * The server's error code if a gateway permanently refuses the payment, so that a retry is useless.
 */
const REFUSED = 'gateway_refused';
/** The status of the response if the gateway or the shop is unavailable. */
const UNAVAILABLE = 503;

interface Props {
  error: unknown;
  /** The uuid of the quote, change or policy, and the other gateways, to offer them. */
  paying?: { uuid: string; others: readonly string[] };
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

function OtherGateways({ uuid, others }: { uuid: string; others: readonly string[] }) {
  const target = useTargetQuery();
  if (others.length === 0) return null;
  return (
    <ul className="bullets">
      {others.map((gateway) => (
        <li key={gateway}>
          <Anchor
            component={AppLink}
            underline="always"
            to={paths.payment(uuid, { gateway, ...target })}
          >
            Pay with {gatewayOf(gateway).inText}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
