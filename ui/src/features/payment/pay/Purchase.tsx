import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuoteInfo } from '../../../api/types';
import { formatDate } from '../../../lib/dates/dates';
import { Partner } from '../../../shared/cover/Partner';
import { Price } from '../../../shared/money/Price';
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

export function Purchase({ info, amount }: { info: QuoteInfo; amount: number }) {
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
        <Price amount={amount} currency={info.price?.currency} size="lg" />
      </ToPay>
      <Text className="hint" mt="0.25rem">
        Insurance premium tax is included.
      </Text>
    </Panel>
  );
}
