import { Anchor, Button, Text } from '@mantine/core';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError } from '../../../api/client';
import { useSite } from '../../../api/hooks';
import { useAnnounce } from '../../../lib/messages/announce';
import { useGo } from '../../../lib/navigation/navigation';
import { permitsGateway } from '../../../lib/navigation/ownDocument';
import { reloadPage } from '../../../lib/navigation/reload';
import { paths } from '../../../lib/routes/paths';
import { carriedToken } from '../../../lib/storage/tokens';
import { NoGateway } from '../../../shared/payment/NoGateway';
import { AppLink } from '../../../ui/basics/AppLink';
import { ContactLine } from '../../../ui/feedback/MessagePage';
import { LockIcon } from '../../../ui/icons/icons';
import { PaymentStack } from '../PaymentLayout';
import { FOR_CHANGE, useJustStarted, usePlanChoice, useTargetQuery } from '../paymentRoute';
import { destination, forgetPayment, usePaymentStatus } from '../result/usePaymentStatus';
import { CardFrame } from './CardFrame';
import { ChooseGateway } from './ChooseGateway';
import { GatewayRedirect } from './GatewayRedirect';
import { gatewayOf, gatewayToUse } from './gateways';
import { OPENING, PaymentSkeleton } from './PaymentSkeleton';
import { StartFailed } from './StartFailed';
import { useStartPayment } from './useStartPayment';

interface Props {
  /** The uuid of a quote, of a change of a policy, or of a policy with a plan. */
  uuid: string;
  /** Whether later payments are charged to the card, so that the gateway must keep it. */
  isMonthly?: boolean;
  onStale: () => void;
}

/**
 * Shows the payment with the chosen gateway, or with the only gateway. Asks for a gateway if there
 * are several and none is chosen.
 */
export function CardPayment({ isMonthly, ...props }: Props) {
  const { data: site, error, mutate } = useSite();
  const [params] = useSearchParams();
  if (!site) {
    return error ? (
      <StartFailed error={error} onRetry={() => void mutate()} />
    ) : (
      <PaymentSkeleton />
    );
  }
  const providers = isMonthly ? site.card_providers : site.providers;
  if (providers.length === 0) return <NoGateway />;
  const provider = gatewayToUse(providers, params.get('gateway'));
  if (provider === null) return <ChooseGateway offered={providers} {...props} />;
  // If the shop has only one gateway, each payment page permits the gateway's hosts.
  if (site.providers.length > 1 && !permitsGateway(provider)) {
    return <OwnDocument uuid={props.uuid} provider={provider} />;
  }
  const others = providers.filter((other) => other !== provider);
  return <Paying key={provider} provider={provider} others={others} {...props} />;
}

/**
 * Loads the page again, with the gateway in its address. The content policy of this document does
 * not permit the gateway's frame or form.
 */
function OwnDocument({ uuid, provider }: { uuid: string; provider: string }) {
  useEffect(() => {
    const { pathname, search } = window.location;
    const params = new URLSearchParams(search);
    params.set('gateway', provider);
    const address = `${pathname}?${params}${carriedToken(uuid)}`;
    window.history.replaceState(window.history.state, '', address);
    reloadPage();
  }, [uuid, provider]);
  return <PaymentSkeleton />;
}

interface PayingProps extends Omit<Props, 'isMonthly'> {
  provider: string;
  /** The other gateways for this payment. */
  others: readonly string[];
}

/**
 * Shows a gateway's form, or a button that leads to the gateway's page, until the payment has
 * ended.
 */
function Paying({ uuid, provider, others, onStale }: PayingProps) {
  const hasOtherGateways = others.length > 0;
  const go = useGo();
  const target = useTargetQuery();
  const plan = usePlanChoice();
  const isJustStarted = useJustStarted();
  const {
    data: attempt,
    error,
    isValidating,
    mutate,
    restart,
  } = useStartPayment(uuid, provider, plan);
  // A policy has many payments of its plan, so each is read by its own id.
  const paidFor = plan ? attempt?.payment_id : uuid;
  const payment = usePaymentStatus((attempt && paidFor) ?? null, 'steady');
  const refused = error instanceof ApiError && error.status === 409;

  // After a 409, another tab may have paid or changed the quote, so the page reads the data again.
  useEffect(() => {
    if (refused) onStale();
  }, [refused, onStale]);

  const { data } = payment;
  // An earlier attempt may be paid on its own page, also while this page shows a newer form.
  const isRelevant = data?.payment_id === attempt?.payment_id || data?.status === 'paid';
  const latest = isRelevant ? data : null;
  // During the bank's challenge, inside the frame, the status is "processing". Only an ended
  // attempt opens another page.
  const end = destination(latest);
  const change = Boolean(latest?.adjustment_uuid);
  useEffect(() => {
    if (end) {
      onStale();
      void go(end, { replace: true, state: change ? FOR_CHANGE : null });
    }
  }, [end, change, onStale, go]);

  const showProcessing = useCallback(() => {
    if (!paidFor) return;
    void forgetPayment(paidFor);
    void go(paths.paymentProcessing(paidFor), { replace: true });
  }, [paidFor, go]);

  const failed = error && !isValidating;
  useAnnounce(attempt || failed ? null : OPENING);

  const { inText, handles } = gatewayOf(provider);
  const isRedirect = attempt?.kind === 'redirect';
  const hasReturned = attempt?.resumed && !isJustStarted;
  return (
    <PaymentStack>
      {failed ? (
        <StartFailed error={error} paying={{ uuid, others }} onRetry={() => mutate()} />
      ) : !attempt ? (
        <PaymentSkeleton />
      ) : isRedirect && latest?.status === 'processing' ? (
        <PaymentInProgress uuid={paidFor ?? uuid} name={inText} />
      ) : (
        <>
          {attempt.earlier_processing && (
            <Text role="status">
              A payment of yours is still being checked, and we don't know yet how it ends. If you
              pay again and both payments succeed, we refund one of them.
            </Text>
          )}
          {hasReturned && (
            <ResumedPayment
              name={inText}
              isRedirect={isRedirect}
              hasOtherGateways={hasOtherGateways}
            />
          )}
          {isRedirect ? (
            <GatewayRedirect attempt={attempt} provider={provider} onRestart={restart} />
          ) : (
            <CardFrame
              attempt={attempt}
              provider={provider}
              onDone={showProcessing}
              onRestart={restart}
            />
          )}
          <p className="hint iconLine">
            <LockIcon size={18} />
            <span>{handles}</span>
          </p>
          {hasReturned && isRedirect && !hasOtherGateways && <ContactLine />}
        </>
      )}
      {hasOtherGateways && (
        <Anchor component={AppLink} underline="always" to={paths.payment(uuid, target)}>
          Pay another way
        </Anchor>
      )}
    </PaymentStack>
  );
}

/** Explains the state of an earlier attempt to a customer who returns. */
function ResumedPayment({
  name,
  isRedirect,
  hasOtherGateways,
}: {
  name: string;
  isRedirect: boolean;
  hasOtherGateways: boolean;
}) {
  const [params] = useSearchParams();
  if (!isRedirect)
    return <Text>You started to pay before. You can carry on from where you left.</Text>;
  return (
    <Text>
      {params.has('left')
        ? `You came back from ${name}, and we have had no word of a payment.`
        : 'You started to pay before, and we have had no word of a payment.'}{' '}
      You can go on paying{hasOtherGateways && ', or pay another way'}.
    </Text>
  );
}

/** Tells the customer that a payment on the gateway's page is in progress. */
function PaymentInProgress({ uuid, name }: { uuid: string; name: string }) {
  return (
    <>
      <Text>
        A payment of yours is under way at {name}, and we don't know yet how it ends. Please don't
        pay a second time.
      </Text>
      <Button component={AppLink} to={paths.paymentProcessing(uuid)}>
        See how it stands
      </Button>
    </>
  );
}
