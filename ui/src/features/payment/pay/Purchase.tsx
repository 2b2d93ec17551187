import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlanOffer, QuoteInfo } from '../../../api/types';
import { formatDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { Partner } from '../../../shared/cover/Partner';
import { Price } from '../../../shared/money/Price';
import { firstAmount, planText } from '../../../shared/payment/monthlyText';
import { Facts } from '../../../ui/basics/Facts';
import { Panel } from '../../../ui/basics/Panel';
import classes from './Purchase.module.css';

export function ToPay({ children }: { children: ReactNode }) {
  return (
    <Group
      component="p"
      justify="space-between"
      align="baseline"
      gap="0 1rem"
      fw={600}
      className={classes.part}
    >
      <span>To pay now</span>
      {children}
    </Group>
  );
}

/** Shows what the customer buys, and the amount to pay now. `plan` is set for a monthly payment. */
export function Purchase({ info, plan }: { info: QuoteInfo; plan: PlanOffer | null }) {
  const amount = plan ? firstAmount(plan) : (info.price?.amount_total ?? 0);
  const currency = info.price?.currency;
  const { inception, expiry } = info.dates;
  return (
    <Panel title="What you are buying">
      <Partner aggregator={info.aggregator} mb="sm" />
      <Text fw={600} mb="xs">
        {info.product_title}
      </Text>
      <Facts
        rows={[
          ['Quote ID', info.custom_id],
          ['Your Cover Dates', `${formatDate(inception)} to ${formatDate(expiry)}`],
        ]}
      />
      <ul className={`lines ${classes.part}`}>
        {info.summary.map((line) => (
          <li key={line.code}>{line.text}</li>
        ))}
      </ul>
      <ToPay>
        <Price amount={amount} currency={currency} size="lg" />
      </ToPay>
      {plan && <Text mt="sm">{planText(plan, (each) => formatMoney(each, currency))}</Text>}
      {plan && <Text mt="sm">{plan.consent}</Text>}
      <Text className="hint" mt="0.25rem">
        Insurance premium tax is included.
      </Text>
    </Panel>
  );
}
