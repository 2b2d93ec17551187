import { Button, Container, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import { ApiError } from '../../../api/client';
import { usePolicyRead, useProduct, useProfile, useSite } from '../../../api/hooks';
import { usePolicyDocuments } from '../../../api/policies/documents';
import { useAdjustments, useCancellations, useRenewal } from '../../../api/policies/policy';
import type {
  Adjustment,
  NotTakenUp,
  PolicyRead,
  PolicyTerm,
} from '../../../api/policies/policyTypes';
import { STATUS } from '../../../api/types';
import { startAgain } from '../../../form/answers/startAgain';
import { useGo } from '../../../lib/navigation/navigation';
import { LAST_STEP, paths } from '../../../lib/routes/paths';
import { useDocumentTitle } from '../../../lib/routes/title';
import { tokenFor } from '../../../lib/storage/tokens';
import { useAllLoaded } from '../../../lib/timing/useAllLoaded';
import { AccountTabs } from '../../../shared/account/AccountTabs';
import { AccountPlace, PolicyAccount } from '../../../shared/account/PolicyAccount';
import { DISPUTE_NOTE } from '../../../shared/cover/dispute';
import { lastDay } from '../../../shared/cover/lastDay';
import { CoverHelp } from '../../../shared/help/CoverHelp';
import { needsPayment } from '../../../shared/plan/planText';
import { RenewalComparison } from '../../../shared/renewal/RenewalComparison';
import { RescueCardPanel } from '../../../shared/rescue-card/RescueCardPanel';
import { AppLink } from '../../../ui/basics/AppLink';
import { Panel } from '../../../ui/basics/Panel';
import { ContactBlock } from '../../../ui/contact/ContactBlock';
import { LoadError } from '../../../ui/errors/LoadError';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { CancellationDetails, POLL_MS, pollWhilePending } from '../cancel/CancellationDetails';
import { CancelPanel } from '../cancel/CancelPanel';
import { ScheduledCancellation } from '../cancel/ScheduledCancellation';
import { policyTasks } from '../change/tasks/tasks';
import { DocumentsCard } from '../documents/DocumentsCard';
import { History } from '../history/History';
import { PlanPanel } from '../plan/PlanPanel';
import { ResultCard, type ResultMessage } from '../ResultCard';
import { AutoRenew } from '../renewal/AutoRenew';
import { PendingChange } from '../scheduled-change/PendingChange';
import { ScheduledChange } from '../scheduled-change/ScheduledChange';
import { Answers } from './Answers';
import { type EndAction, Manage } from './Manage';
import { NotTakenUpPanel } from './NotTakenUpPanel';
import { OpenExclusions } from './OpenExclusions';
import classes from './Policy.module.css';
import { PolicyFiles } from './PolicyFiles';
import { Dates, Heading, Summary } from './PolicySummary';
import { PriceTable } from './PriceTable';
import { useScrollToHash } from './useScrollToHash';

function Loading() {
  return <PageSkeleton label="Loading your policy" size={1140} />;
}

/** Statuses in which the customer may buy the same cover again, if the policy is not renewed. */
const ENDED_STATUSES: readonly number[] = [STATUS.cancelled, STATUS.notTakenUp, STATUS.expired];

const isUnauthorised = (error: unknown) => error instanceof ApiError && error.status === 401;

export function PolicyScreen({ uuid }: { uuid: string }) {
  const { data: read, error, mutate } = usePolicyRead(uuid);
  useDocumentTitle(read ? `Policy ${read.info.custom_id}` : 'Your policy');

  if (!read) {
    if (error && isUnauthorised(error) && tokenFor(uuid)) return <PolicyFiles uuid={uuid} />;
    if (error) return <LoadError what="policy" error={error} onRetry={() => mutate()} />;
    return <Loading />;
  }
  // The uuid belongs to a quote that is not bought yet.
  if (!read.policy) return <Navigate to={paths.quoteEdit(uuid)} replace />;
  return <WholePolicy read={read} policy={read.policy} />;
}

interface Props {
  read: PolicyRead;
  policy: PolicyTerm;
}

/** Shows a policy after the first reads for the page have succeeded or failed. */
function WholePolicy({ read, policy }: Props) {
  const { uuid, product_identifier } = read.info;
  const ownUuid = read.info.account === 'mine' ? uuid : null;
  const isLoaded = useAllLoaded([
    useSite(),
    useProfile(),
    useProduct(product_identifier),
    useAdjustments(ownUuid),
    useCancellations(ownUuid, pollWhilePending),
    usePolicyDocuments(uuid, null),
    useRenewal(renewalOf(policy)),
  ]);
  const { data: profile } = useProfile();
  if (!isLoaded) return <Loading />;
  return (
    <>
      {profile && <AccountTabs tab="policies" isInPage open loggedIn />}
      <Policy read={read} policy={policy} />
    </>
  );
}

/**
 * Returns the uuid of the renewal quote if the customer may renew and no cancellation is pending.
 * Returns null in any other case.
 */
function renewalOf({ renewal, can, pending_cancellation: ending }: PolicyTerm): string | null {
  return renewal && can.renew && !ending ? renewal.quote_uuid : null;
}

/**
 * Returns the pause before the next read of the changes, in milliseconds. If no refund is pending,
 * returns 0, and the list is not read again.
 */
function pollWhileRefunding(latest: Adjustment[] | undefined): number {
  return latest?.some((each) => each.refund?.status === 'pending') ? POLL_MS : 0;
}

function Policy({ read, policy }: Props) {
  const { info } = read;
  const { uuid } = info;
  const go = useGo();
  const { data: product } = useProduct(info.product_identifier);
  // A link with a token gives only read access to a policy. Changes and cancellations need the
  // policy's account.
  const owner = info.account === 'mine';
  const { data: adjustments } = useAdjustments(owner ? uuid : null, pollWhileRefunding);
  const { data: cancellations } = useCancellations(owner ? uuid : null, pollWhilePending);
  const [result, setResult] = useState<ResultMessage | null>(null);
  const [ending, setEnding] = useState<EndAction | null>(null);
  const [notTakenUp, setNotTakenUp] = useState<NotTakenUp | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const live = info.status_id === STATUS.live;
  const currency = info.price?.currency;
  const renewal = renewalOf(policy);
  useScrollToHash(true);

  // An opened panel gets the focus. After success the result gets the focus. After the panel closes
  // without success, the button gets the focus.
  const status = useRef(info.status_id);
  const opener = useRef<HTMLElement>(null);
  useEffect(() => {
    if (ending === null && status.current === info.status_id) {
      opener.current?.focus();
      return;
    }
    status.current = info.status_id;
    panel.current?.scrollIntoView({ block: 'start' });
    panel.current?.focus({ preventScroll: true });
  }, [ending, info.status_id]);

  // The result of an action appears in place of the action and gets the focus.
  const [results, setResults] = useState(0);
  useEffect(() => {
    if (results === 0) return;
    panel.current?.scrollIntoView({ block: 'start' });
    panel.current?.focus({ preventScroll: true });
  }, [results]);
  const finish = (message: ResultMessage | null) => {
    setEnding(null);
    setResult(message);
    setResults((before) => before + 1);
  };

  const close = () => setEnding(null);
  const { scheduled_change: change, pending_cancellation: cancellation } = policy;
  const buyAgain = () => void go(startAgain(info.product_identifier, read));
  const hasEnded = ENDED_STATUSES.includes(info.status_id);
  // Only the owner can pay, so nobody else has the ways to pay.
  const plan = owner ? policy.plan : null;
  const isPaymentNeeded = plan !== null && needsPayment(plan);
  const planPanel = plan && (
    <PlanPanel uuid={uuid} policy={policy} plan={plan} currency={currency} />
  );
  return (
    <Container size={1140}>
      <Stack gap="lg">
        <Heading info={info} policy={policy} />
        {live && policy.is_disputed && (
          <Panel title="Your payment is disputed">
            <Text>{DISPUTE_NOTE}</Text>
          </Panel>
        )}
        {isPaymentNeeded && planPanel}
        <div className={classes.columns}>
          <div className={classes.column}>
            <div ref={panel} tabIndex={-1} className={`anchor ${classes.ending}`} data-empty-hides>
              {ending === 'cancel' && (
                <CancelPanel
                  uuid={uuid}
                  reference={info.custom_id}
                  policy={policy}
                  currency={currency}
                  onClose={close}
                  onDone={() => finish(null)}
                />
              )}
              {ending === 'not_take_up' && (
                <NotTakenUpPanel
                  uuid={uuid}
                  reference={info.custom_id}
                  inception={policy.inception}
                  amountPaid={policy.paid}
                  disputed={policy.is_disputed}
                  hasPaymentsLeft={plan !== null && plan.left > 0}
                  follows={policy.renews}
                  currency={currency}
                  onClose={close}
                  onDone={setNotTakenUp}
                />
              )}
              {result && ending === null && live && <ResultCard message={result} />}
              {live && cancellation && (
                <ScheduledCancellation
                  uuid={uuid}
                  policy={policy}
                  activity={cancellation}
                  currency={currency}
                  onWithdrawn={finish}
                />
              )}
              {live && change && (
                <ScheduledChange
                  uuid={uuid}
                  policy={policy}
                  change={change}
                  currency={currency}
                  onWithdrawn={finish}
                />
              )}
              {!live && (
                <CancellationDetails
                  uuid={uuid}
                  status={info.status_id}
                  policy={policy}
                  notTakenUp={notTakenUp}
                  currency={currency}
                />
              )}
            </div>
            <div className={classes.first}>
              <DocumentsCard uuid={uuid} live={live} />
            </div>
            <div className={classes.early}>
              {live && <PendingChange uuid={uuid} adjustments={adjustments} currency={currency} />}
              {renewal && (
                <RenewalComparison
                  quote={renewal}
                  currency={currency}
                  actions={<RenewalActions quote={renewal} />}
                />
              )}
              {!isPaymentNeeded && planPanel}
            </div>
            <Summary info={info} />
            {live && <OpenExclusions exclusions={read.exclusions} />}
            {product && <Answers form={product.form} read={read} />}
            {info.price && <PriceTable price={info.price} paid={policy.paid} />}
            <History
              uuid={uuid}
              adjustments={adjustments}
              cancellations={cancellations}
              currency={currency}
            />
          </div>
          <div className={`${classes.column} ${classes.aside}`} data-live={live || undefined}>
            {live && lastDay(policy) !== null && (
              <CoverHelp
                product={info.product_identifier}
                begins={policy.cover_begins}
                reference={info.custom_id}
                follows={policy.renews}
                trips={info.price?.per === 'trip'}
              />
            )}
            <div className={classes.first}>
              <AccountPlace ownership={info.account}>
                {owner ? (
                  <Manage
                    uuid={uuid}
                    policy={policy}
                    ending={ending}
                    onEnding={(isOpen, button) => {
                      opener.current = button;
                      setEnding(isOpen);
                    }}
                    onBuyAgain={hasEnded && !policy.renewed_by ? buyAgain : undefined}
                    tasks={product ? policyTasks(product.form, read, policy) : []}
                  />
                ) : (
                  <PolicyAccount read={read} />
                )}
              </AccountPlace>
            </div>
            {live && lastDay(policy) !== null && (
              <RescueCardPanel uuid={uuid} product={info.product_identifier} owner={owner} />
            )}
            {live && owner && info.price?.per !== 'trip' && (
              <AutoRenew uuid={uuid} policy={policy} currency={currency} />
            )}
            <Dates policy={policy} />
            <ContactBlock className={classes.contact} />
          </div>
        </div>
      </Stack>
    </Container>
  );
}

function RenewalActions({ quote }: { quote: string }) {
  return (
    <>
      <Button component={AppLink} to={paths.quoteEdit(quote, { step: LAST_STEP })}>
        Renew now
      </Button>
      <Button component={AppLink} to={paths.quoteEdit(quote)} variant="default">
        Change before renewing
      </Button>
    </>
  );
}
