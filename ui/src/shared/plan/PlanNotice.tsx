import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PolicyPlan } from '../../api/policies/policyTypes';
import { MONEY_ADVICE, noticeText, noticeTitle } from './planText';

interface Props {
  plan: PolicyPlan;
  currency?: string;
  /** The buttons to pay, if they are not near. */
  children?: ReactNode;
}

/** Tells that a payment failed, or that cover ends unless the customer pays. */
export function PlanNotice({ plan, currency, children }: Props) {
  return (
    <Alert color="red" title={noticeTitle(plan)}>
      <Text size="sm">{noticeText(plan, currency)}</Text>
      <Text size="sm" mt="xs">
        {MONEY_ADVICE}
      </Text>
      {children}
    </Alert>
  );
}
