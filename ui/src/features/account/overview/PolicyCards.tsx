import { Anchor, Button, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { usePolicyRead, useProduct, useProfile, useSite } from '../../../api/hooks';
import { useRenewal } from '../../../api/policies/policy';
import type { PolicyTerm } from '../../../api/policies/policyTypes';
import { type ListItem, STATUS, type StatusId } from '../../../api/types';
import {
  formatDate,
  formatDateTime,
  formatLongDate,
  formatShortDay,
  todayInLondon,
  toIsoDate,
} from '../../../lib/dates/dates';
import { formatAmount } from '../../../lib/format/money';
import { telHref } from '../../../lib/format/phone';
import { paths } from '../../../lib/routes/paths';
import { preferencesOf } from '../../../lib/storage/preferences';
import { useAllLoaded } from '../../../lib/timing/useAllLoaded';
import { lastDay } from '../../../shared/cover/lastDay';
import { useCoverHelp } from '../../../shared/help/useCoverHelp';
import { PlanNotice } from '../../../shared/plan/PlanNotice';
import { needsPayment } from '../../../shared/plan/planText';
import { uncoveredDaysText } from '../../../shared/renewal/renewalText';
import { useLinkedPolicy } from '../../../shared/renewal/useLinkedPolicy';
import { AppLink } from '../../../ui/basics/AppLink';
import { Facts } from '../../../ui/basics/Facts';
import { Panel } from '../../../ui/basics/Panel';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { PhoneIcon } from '../../../ui/icons/icons';
import { type ListMode, MODES } from '../list/modes';
import { RelativeTime } from '../list/rows/RelativeTime';
import { StatusChip } from '../list/rows/StatusChip';
import { useListPage } from '../list/useList';
import { coveredItems } from './coveredItems';
import classes from './PolicyCards.module.css';
import { PolicyLinks } from './PolicyLinks';

/** The number of entries that each section of the overview shows. */
const SHOWN = 3;

function useNewest(mode: ListMode, status: StatusId) {
  const newest = { page: 0, limit: SHOWN, sortBy: 'id', desc: true };
  return useListPage({ ...newest, 'quoteStatus[]': [status], ...MODES[mode].flags });
}

function useCard(item: ListItem | undefined) {
  const read = usePolicyRead(item?.policy_uuid ?? null);
  return [read, useProduct(read.data?.info.product_identifier ?? null)];
}

/** Reads the policy that a renewal quote renews. Sends no call in the other modes. */
function useRenewedPolicy(mode: ListMode, item: ListItem | undefined) {
  const renewal = useRenewal((mode === 'renewal' && item?.policy_uuid) || null);
  const read = usePolicyRead(renewal.data?.policy_uuid ?? null);
  return { reads: [renewal, read], policy: read.data?.policy };
}

/** Reads the policies that the shown renewal quotes renew. */
function useRenewedPolicies(mode: ListMode, items: readonly ListItem[] | undefined) {
  const [first, second, third] = items ?? [];
  return [
    useRenewedPolicy(mode, first),
    useRenewedPolicy(mode, second),
    useRenewedPolicy(mode, third),
  ];
}

export function useOverviewLoaded(): boolean {
  const site = useSite();
  const policies = useNewest('policy', STATUS.live);
  const renewals = useNewest('renewal', STATUS.quote);
  const quotes = useNewest('quote', STATUS.quote);
  const [first, second, third] = policies.data?.data ?? [];
  const cards = [useCard(first), useCard(second), useCard(third)].flat();
  const renewedPolicies = useRenewedPolicies('renewal', renewals.data?.data).flatMap(
    ({ reads }) => reads,
  );
  return useAllLoaded([site, policies, renewals, quotes, ...cards, ...renewedPolicies]);
}

function Reference({ item }: { item: ListItem }) {
  return <span className={`hint tabular ${classes.reference}`}>{item.custom_id}</span>;
}

function Head({ item }: { item: ListItem }) {
  return (
    <div className={classes.head}>
      <h3 className={classes.title}>
        {item.product_short_title} <Reference item={item} />
      </h3>
      <StatusChip id={item.status_id} title={item.status_title} begins={item.cover_begins} />
    </div>
  );
}

/** Shows the scheduled events of a policy: an early end, and a change. */
function ScheduledEvents({ policy }: { policy: PolicyTerm }) {
  const { pending_cancellation: ending, scheduled_change: change } = policy;
  return (
    <>
      {ending && (
        <p className={classes.event}>
          <strong>
            {ending.last_day
              ? `Ends on ${formatLongDate(ending.last_day)}`
              : `Ends before it begins on ${formatLongDate(ending.effective_date)}`}
            .
          </strong>{' '}
          {ending.is_by_shop ? 'We will end it.' : 'You asked to cancel it.'}
        </p>
      )}
      {change && (
        <p className={classes.event}>
          <strong>Changes on {formatLongDate(change.effective_date)}.</strong>
        </p>
      )}
    </>
  );
}

/** Tells that a monthly payment failed, with the way to pay. */
function PaymentDue({ item, policy }: { item: ListItem; policy: PolicyTerm }) {
  const { plan } = policy;
  if (!plan || !needsPayment(plan)) return null;
  return (
    <PlanNotice plan={plan} currency={item.currency}>
      <Button
        component={AppLink}
        to={paths.policyView(item.policy_uuid, 'payments')}
        size="sm"
        mt="sm"
        aria-label={`Pay now, policy ${item.custom_id}`}
      >
        Pay now
      </Button>
    </PlanNotice>
  );
}

/** Says which of two linked policies covers the customer now, and which one follows. */
function RenewalNote({ item, policy }: { item: ListItem; policy: PolicyTerm }) {
  const earlier = useLinkedPolicy(policy.renews);
  const nextPolicy = useLinkedPolicy(policy.renewed_by);
  const gap = uncoveredDaysText(earlier?.policy ?? policy);
  const today = toIsoDate(todayInLondon());
  const isFuture = (day: string | null) => day !== null && day > today;
  const lastCoveredDay = earlier && lastDay(earlier.policy);
  // This policy ends before its first day, so it covers no day.
  if (lastDay(policy) === null) return null;
  if (isFuture(item.date_inception)) {
    // The status chip already shows the first day.
    if (!earlier || !lastCoveredDay) return null;
    return (
      <p className={classes.event}>
        <strong>Starts {formatShortDay(item.date_inception)}.</strong> You stay covered by{' '}
        {earlier.reference} until {formatLongDate(lastCoveredDay)}.{gap && ` ${gap}`}
      </p>
    );
  }
  if (!nextPolicy || !isFuture(nextPolicy.policy.inception)) return null;
  return (
    <p className={classes.event}>
      <strong>Covers you now.</strong> It is renewed: {nextPolicy.reference} starts{' '}
      {formatShortDay(nextPolicy.policy.inception)}.{gap && ` ${gap}`}
    </p>
  );
}

function PolicyCard({ item }: { item: ListItem }) {
  const { data: read, error } = usePolicyRead(item.policy_uuid);
  const identifier = read?.info.product_identifier ?? null;
  const { data: product } = useProduct(identifier);
  const help = useCoverHelp(identifier, error !== undefined && !read);
  const covered = product && read && coveredItems(product, read);
  const neverCovers = read?.policy && lastDay(read.policy) === null;
  const begins = neverCovers ? null : read?.policy?.cover_begins;
  return (
    <li className={`panel ${classes.card}`}>
      <div className={classes.summary}>
        <Head item={item} />
        {read?.policy && <PaymentDue item={item} policy={read.policy} />}
        {read?.policy && <RenewalNote item={item} policy={read.policy} />}
        {read?.policy && <ScheduledEvents policy={read.policy} />}
        {covered && (
          <ul
            className={classes.items}
            data-plates={covered.plates || undefined}
            aria-label={covered.title}
          >
            {covered.items.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        )}
        <Facts
          className={classes.facts}
          rows={[
            [
              'Your Cover Dates',
              `${formatDate(item.date_inception)} to ${formatDate(item.date_expiry)}`,
            ],
            ['Cover begins', begins && new Date(begins) > new Date() && formatDateTime(begins)],
          ]}
        />
        <PolicyLinks uuid={item.policy_uuid} reference={item.custom_id} policy={read?.policy} />
      </div>
      <div className={classes.actions}>
        {help && !neverCovers && (
          <a href={telHref(help.phone)} className={`call ${classes.call}`}>
            <PhoneIcon />
            <span>
              {help.title} <span className={classes.number}>Call {help.phone}</span>
            </span>
          </a>
        )}
        <Button
          component={AppLink}
          to={paths.policyView(item.policy_uuid)}
          variant="default"
          aria-label={`View policy ${item.custom_id}`}
        >
          View policy
        </Button>
      </div>
    </li>
  );
}

function LivePolicies() {
  const read = useNewest('policy', STATUS.live);
  const { data: page, error } = read;
  if (!page) {
    if (!error) return null;
    return <RetryLine text="Your policies could not be loaded." read={read} />;
  }
  if (page.total === 0) {
    return (
      <div className="panel">
        <Text mb="md">
          You have no live cover. It takes about two minutes to see what it would cost.
        </Text>
        <Button component={AppLink} to={paths.home()}>
          Get a quote
        </Button>
      </div>
    );
  }
  return (
    <>
      <ul className={classes.cards}>
        {page.data.map((item) => (
          <PolicyCard key={item.policy_uuid} item={item} />
        ))}
      </ul>
      {page.total > SHOWN && (
        <Text mt="md">
          <Anchor component={AppLink} to={paths.dashboard('policies')}>
            See all {page.total} policies
          </Anchor>
        </Text>
      )}
    </>
  );
}

interface BuyableQuotesProps {
  mode: ListMode;
  title: string;
  /** The address of the dashboard's section with the whole list. */
  to: string;
  action: string;
  className?: string;
}

/**
 * Shows the newest quotes or renewals for sale. Leaves out a renewal whose policy has a pending
 * cancellation, because the policy's card shows the early end.
 */
function BuyableQuotes({ mode, title, to, action, className }: BuyableQuotesProps) {
  const read = useNewest(mode, STATUS.quote);
  const { data: page, error } = read;
  const { data: profile } = useProfile();
  const renewedPolicies = useRenewedPolicies(mode, page?.data);
  const ready =
    page?.data.filter((_, n) => !renewedPolicies[n]?.policy?.pending_cancellation) ?? [];
  if (!page && error) {
    return (
      <Panel title={title} className={className}>
        <RetryLine text={`Your ${MODES[mode].plural} could not be loaded.`} read={read} />
      </Panel>
    );
  }
  if (!page || ready.length === 0) return null;
  const { money } = preferencesOf(profile?.user_uuid);
  return (
    <Panel title={title} className={className}>
      <ul className="rows">
        {ready.map((item) => (
          <li key={item.policy_uuid} className={classes.row}>
            <div>
              <h3 className={classes.title}>
                {item.product_short_title} <Reference item={item} />
              </h3>
              {item.date_quote_expiry && (
                <p className={`hint ${classes.note}`}>
                  Expires <RelativeTime timestamp={item.date_quote_expiry} end />
                </p>
              )}
            </div>
            <span className={classes.amount}>
              {formatAmount(item.amount_total, item.currency, money)}
            </span>
            <Button
              component={AppLink}
              to={paths.quoteEdit(item.policy_uuid)}
              variant="default"
              size="sm"
              aria-label={`${action} ${item.custom_id}`}
            >
              {action}
            </Button>
          </li>
        ))}
      </ul>
      {page.total > SHOWN && (
        <Text mt="md">
          <Anchor component={AppLink} to={to}>
            See all {MODES[mode].plural}
          </Anchor>
        </Text>
      )}
    </Panel>
  );
}

/** Shows renewals first, because each has a deadline, then policies, then quotes. */
export function PolicyCards() {
  const heading = useId();
  return (
    <div className={classes.allLink}>
      <BuyableQuotes
        mode="renewal"
        title="Ready to renew"
        to={paths.dashboard('renewals')}
        action="See renewal"
        className={classes.due}
      />
      <section aria-labelledby={heading}>
        <Title order={2} id={heading} mb="sm">
          Your policies
        </Title>
        <LivePolicies />
      </section>
      <BuyableQuotes
        mode="quote"
        title="Quotes waiting for you"
        to={paths.dashboard('quotes')}
        action="Continue"
      />
    </div>
  );
}
