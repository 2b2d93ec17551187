import { Button } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../api/client';
import { ChoiceTiles } from '../../../form/fields/ChoiceTiles';
import { type PaymentQuery, paths } from '../../../lib/routes/paths';
import { carriedToken } from '../../../lib/storage/tokens';
import { PaymentStack } from '../PaymentLayout';
import { usePlanChoice, useTargetQuery } from '../paymentRoute';
import { addressOf } from './GatewayRedirect';
import { gatewayOf } from './gateways';
import { StartFailed } from './StartFailed';
import { startPayment } from './useStartPayment';

interface Props {
  uuid: string;
  offered: readonly string[];
  onStale: () => void;
}

/** Asks for one of several gateways, and starts the payment with the chosen gateway. */
export function ChooseGateway({ uuid, offered, onStale }: Props) {
  const [chosen, setChosen] = useState(offered[0] ?? '');
  const [visit] = useState(() => crypto.randomUUID());
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const target = useTargetQuery();
  const plan = usePlanChoice();

  const documentOf = (query: PaymentQuery) => paths.payment(uuid, query) + carriedToken(uuid);

  const continueToGateway = async () => {
    if (working) return;
    setWorking(true);
    setFailure(null);
    if (gatewayOf(chosen).opensOnce) {
      window.location.assign(documentOf({ gateway: chosen, ...target }));
      return;
    }
    try {
      const attempt = await startPayment(uuid, chosen, visit, plan);
      if (attempt.kind === 'redirect' && attempt.method === 'GET') {
        // The browser's Back button then leads to our page with the chosen gateway.
        const ownPage = documentOf({ gateway: chosen, ...target });
        window.history.replaceState(window.history.state, '', ownPage);
        window.location.assign(addressOf(attempt));
      } else {
        // The gateway's frame or form needs a new document, whose content security policy permits
        // the gateway.
        window.location.assign(documentOf({ gateway: chosen, ...target, started: '1' }));
      }
    } catch (error) {
      setWorking(false);
      setFailure(error);
      if (error instanceof ApiError && error.status === 409) onStale();
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void continueToGateway();
      }}
    >
      <PaymentStack>
        <ChoiceTiles
          id="gateway"
          name="gateway"
          legend="How would you like to pay?"
          choices={offered.map((provider) => ({
            value: provider,
            label: gatewayOf(provider).name,
          }))}
          value={chosen}
          locked={working}
          onChange={setChosen}
        />
        {failure !== null && <StartFailed error={failure} />}
        <Button type="submit" aria-disabled={working || undefined}>
          {working ? 'Please wait...' : 'Continue'}
        </Button>
      </PaymentStack>
    </form>
  );
}
