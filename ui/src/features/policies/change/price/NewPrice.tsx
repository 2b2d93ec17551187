import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../api/client';
import { forgetDocuments } from '../../../../api/policies/documents';
import { acceptChange, refreshPolicy, startIncrease } from '../../../../api/policies/policy';
import type { Adjustment, PolicyRead, PolicyTerm } from '../../../../api/policies/policyTypes';
import { formatEnd, formatLongDate } from '../../../../lib/dates/dates';
import { useNow } from '../../../../lib/dates/now';
import { formatMoney } from '../../../../lib/format/money';
import { showSnackbarAhead } from '../../../../lib/messages/snackbar';
import { useGo } from '../../../../lib/navigation/navigation';
import { paths } from '../../../../lib/routes/paths';
import { useDocumentTitle } from '../../../../lib/routes/title';
import { AccountAddress } from '../../../../shared/address/AccountAddress';
import { changeMoney } from '../../../../shared/change/changeMoney';
import { changedAnswer, changeText } from '../../../../shared/change/changeText';
import { DISPUTE_NOTE } from '../../../../shared/cover/dispute';
import { endedText, endText, withoutChange } from '../../../../shared/cover/policyStatusText';
import { MoneyLines } from '../../../../shared/money/MoneyLines';
import { Price } from '../../../../shared/money/Price';
import { PriceBoxes } from '../../../../shared/money/PriceBoxes';
import { useToPayment } from '../../../../shared/payment/useToPayment';
import { spreadLabel } from '../../../../shared/plan/spreadText';
import { AppLink } from '../../../../ui/basics/AppLink';
import { Panel } from '../../../../ui/basics/Panel';
import { ContactLine } from '../../../../ui/feedback/MessagePage';
import { TickIcon } from '../../../../ui/icons/icons';
import { ActionError } from '../../ActionError';
import { decline, isOpen, takesEffectLater } from '../adjustments';
import { ChangeButtons } from '../ChangeLayout';
import { NewPayments } from './NewPayments';
import classes from './NewPrice.module.css';

interface Props {
  adjustment: Adjustment;
  read: PolicyRead;
  onBack: () => void;
}

/** Returns the label of the amount that the customer pays today or gets back. */
function dueLabel(adjustment: Adjustment): string {
  if (adjustment.is_spread) return spreadLabel(adjustment.amount_now);
  return adjustment.amount_now < 0 ? 'Comes back to the card that paid' : 'To pay today';
}

function acceptLabel(
  { amount_now: amount, is_spread: isSpread }: Adjustment,
  currency?: string,
): string {
  if (amount > 0 && !isSpread) return `Accept and pay ${formatMoney(amount, currency)}`;
  return 'Accept';
}

function EffectiveDate({ children }: { children: string }) {
  return (
    <Text span display="block" size="xs" c="dimmed">
      {children}{' '}
    </Text>
  );
}

function Changes({ adjustment }: { adjustment: Adjustment }) {
  const isApplied = adjustment.status === 'applied';
  if (adjustment.changes.length === 0) return null;
  return (
    <Panel title={isApplied ? 'What changed' : 'What changes'}>
      <dl className={`rows ${classes.changes}`}>
        {adjustment.changes.map((change) => (
          <div key={`${change.kind} ${change.path}`}>
            <dt>{change.label}</dt>
            <dd>
              {change.kind === 'answer' ? (
                <>
                  <span className={classes.before}>
                    <EffectiveDate>{isApplied ? 'Before' : 'Now'}</EffectiveDate>
                    <bdi>{changedAnswer(change.before)}</bdi>
                  </span>
                  <span>
                    <EffectiveDate>{isApplied ? 'Now' : 'New'}</EffectiveDate>
                    <bdi>{changedAnswer(change.after)}</bdi>
                  </span>
                </>
              ) : (
                <bdi>{changeText(change)}</bdi>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/**
 * Returns the text about when the customer pays for a later change or gets a refund. Returns null
 * for a change that starts on the first possible day, or if the amount is zero.
 */
function laterMoney(adjustment: Adjustment, policy: PolicyTerm | null | undefined): string | null {
  if (!takesEffectLater(adjustment, policy)) return null;
  const day = formatLongDate(adjustment.effective_date);
  if (adjustment.is_spread) {
    return `If you withdraw the change before ${day}, your monthly payments stay as they are.`;
  }
  if (adjustment.amount_now > 0) {
    return `You pay it today. If you withdraw the change before ${day}, all of it comes back.`;
  }
  if (adjustment.amount_now < 0) return `It is sent back on ${day}, when the change starts.`;
  return null;
}

function Figures({ adjustment, read }: { adjustment: Adjustment; read: PolicyRead }) {
  const { currency, per } = read.info.price ?? {};
  const laterAmount = laterMoney(adjustment, read.policy);
  const due = { label: dueLabel(adjustment), amount: adjustment.amount_now };
  return (
    <Panel title="What it costs">
      <PriceBoxes
        prices={[
          {
            label: 'Your price now',
            figure: <Price amount={adjustment.premium_before} currency={currency} per={per} />,
          },
          {
            label: 'Your new price',
            figure: <Price amount={adjustment.premium_after} currency={currency} per={per} />,
            isHighlighted: true,
          },
        ]}
      />
      <Group
        component="p"
        justify="space-between"
        align="baseline"
        gap="0 1rem"
        mt="1.25rem"
        mb="0.25rem"
        fw={600}
      >
        <span>{due.label}</span>
        <Price amount={Math.abs(due.amount)} currency={currency} size="lg" />
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        For the {adjustment.days_left} of {adjustment.days_in_term} days from{' '}
        {formatLongDate(adjustment.effective_date)} on.{' '}
        {formatMoney(Math.abs(adjustment.tax_now), currency)} of it is insurance premium tax.
      </Text>
      {read.policy?.plan && (
        <NewPayments adjustment={adjustment} plan={read.policy.plan} currency={currency} />
      )}
      {laterAmount && <Text mb="sm">{laterAmount}</Text>}
      {adjustment.lines.length > 0 && (
        <MoneyLines
          caption="How the amount is worked out"
          lines={adjustment.lines}
          totals={[due]}
          currency={currency}
          signed
        />
      )}
    </Panel>
  );
}

/**
 * Shows the old price, the new price and the amount due or refunded, before the customer accepts.
 */
function Offer({ adjustment, read, onBack }: Props) {
  const { uuid, price } = read.info;
  const isScheduled = takesEffectLater(adjustment, read.policy);
  const go = useGo();
  const toPayment = useToPayment();
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  const accept = async () => {
    if (working) return;
    setWorking(true);
    setFailure(null);
    try {
      if (adjustment.kind === 'increase' && !adjustment.is_spread) {
        await startIncrease(uuid, adjustment.adjustment_id);
        await toPayment(adjustment.adjustment_id, { change: '1', started: '1' });
      } else {
        await acceptChange(uuid, adjustment);
        void forgetDocuments(uuid);
        await refreshPolicy(uuid);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(error);
      // With 409 the change may no longer be open, which the new list of changes shows.
      if (error.status === 409) await refreshPolicy(uuid);
    } finally {
      setWorking(false);
    }
  };

  const notices = new Set(adjustment.notices);
  if (read.policy?.is_disputed && adjustment.amount_now < 0 && !adjustment.is_spread)
    notices.add(DISPUTE_NOTE);

  const leave = async () => {
    decline(adjustment);
    showSnackbarAhead('Your cover stays as it is.');
    await go(paths.policyView(uuid));
  };

  return (
    <Stack gap="lg">
      <Text size="lg">
        Nothing has changed yet. From {formatLongDate(adjustment.effective_date)} your cover would
        be as below{isScheduled && '; until then it stays as it is'}. We hold this price until{' '}
        {formatEnd(adjustment.expires)}.
      </Text>
      {[...notices].map((text) => (
        <p key={text} className="strip">
          {text}
        </p>
      ))}
      <Changes adjustment={adjustment} />
      <Figures adjustment={adjustment} read={read} />
      {failure !== null && (
        <ActionError title="Your cover was not changed" failure={failure} policy={uuid} />
      )}
      <ChangeButtons>
        <Button onClick={() => void accept()} aria-disabled={working || undefined}>
          {working ? 'Please wait...' : acceptLabel(adjustment, price?.currency)}
        </Button>
        <Button variant="default" onClick={() => void leave()}>
          Decline
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Change something else
        </Button>
      </ChangeButtons>
    </Stack>
  );
}

/** Shows an applied or agreed change. */
function AppliedChange({ adjustment, read }: { adjustment: Adjustment; read: PolicyRead }) {
  const { uuid, price } = read.info;
  const refund = -adjustment.amount_now;
  const agreed = adjustment.status === 'agreed';
  const money = changeMoney(adjustment, price?.currency);
  return (
    <Stack gap="lg">
      <Panel>
        <Stack gap="md" align="flex-start">
          <span className="mark">
            <TickIcon size={36} />
          </span>
          <Text size="lg">
            From {formatLongDate(adjustment.effective_date)} your cover is as below.{' '}
            {agreed
              ? 'Until then it stays as it is, and you can withdraw the change on the page of your policy. We send you an email that says so.'
              : 'Your new documents are being made, and we send you an email when they are there.'}
          </Text>
          {(agreed || refund > 0 || adjustment.is_spread) && <Text>{money}</Text>}
          <Button
            component={AppLink}
            to={agreed ? paths.policyView(uuid) : paths.policyView(uuid, 'documents')}
          >
            View your policy
          </Button>
        </Stack>
      </Panel>
      <AccountAddress policy={uuid} adjustment={adjustment} />
      <Changes adjustment={adjustment} />
    </Stack>
  );
}

/** Shows a change that can no longer be accepted. */
function UnavailableChange({ adjustment, read, onBack }: Props) {
  const { uuid, price } = read.info;
  const isWithdrawn = adjustment.status === 'withdrawn' || adjustment.agreed !== null;
  const ends = read.policy?.pending_cancellation;
  const endsFirst = ends && ends.effective_date <= adjustment.effective_date;
  const endedMessage = endedText(read);
  const supersededText = endsFirst
    ? `${endText(ends)}, before this change would start.`
    : PRICE_SUPERSEDED;
  const text = adjustment.status === 'superseded' ? supersededText : PRICE_EXPIRED;
  return (
    <Panel>
      <Stack gap="md">
        {isWithdrawn ? (
          <Text>
            {withoutChange(read)} {changeMoney(adjustment, price?.currency)}
          </Text>
        ) : (
          <>
            <Text>{endedMessage ? `${endedMessage}, so this price no longer holds.` : text}</Text>
            <Text>This change was not made, and nothing was charged for it.</Text>
          </>
        )}
        <ChangeButtons>
          {read.policy?.can.change && <Button onClick={onBack}>Work it out again</Button>}
          <Button variant="default" component={AppLink} to={paths.policyView(uuid)}>
            Back to your policy
          </Button>
        </ChangeButtons>
        <ContactLine />
      </Stack>
    </Panel>
  );
}

function titleOf({ status, agreed }: Adjustment, open: boolean): string {
  if (status === 'applied') return 'Your change is made';
  if (status === 'agreed') return 'Your change is agreed';
  if (open) return 'Your new price';
  if (status === 'withdrawn') return 'You withdrew this change';
  if (agreed) return 'This change is not made any more';
  return status === 'superseded' ? 'This price no longer holds' : 'This price has run out';
}

const PRICE_SUPERSEDED =
  'Another change or a cancellation of this policy came first, so this price no longer holds.';
const PRICE_EXPIRED = 'We hold the price of a change for a day, and that is over.';

/** Shows a priced change that is open, agreed, applied or no longer available. */
export function NewPrice({ adjustment, read, onBack }: Props) {
  const now = useNow();
  const heading = useRef<HTMLHeadingElement>(null);
  const open = isOpen(adjustment, now);
  const isAgreed = adjustment.status === 'applied' || adjustment.status === 'agreed';
  const title = titleOf(adjustment, open);
  useDocumentTitle(title);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new heading is a new state of the change
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [title]);

  return (
    <div className={classes.page}>
      <Title order={1} ref={heading} tabIndex={-1} mb="md">
        {title}
      </Title>
      {isAgreed && <AppliedChange adjustment={adjustment} read={read} />}
      {open && <Offer adjustment={adjustment} read={read} onBack={onBack} />}
      {!isAgreed && !open && (
        <UnavailableChange adjustment={adjustment} read={read} onBack={onBack} />
      )}
    </div>
  );
}
