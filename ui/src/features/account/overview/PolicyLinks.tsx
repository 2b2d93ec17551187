import { Anchor } from '@mantine/core';
import type { PolicyTerm } from '../../../api/policies/policyTypes';
import { paths } from '../../../lib/routes/paths';
import { AppLink } from '../../../ui/basics/AppLink';

interface Props {
  uuid: string;
  reference: string;
  /** Undefined until the policy has been read. */
  policy: PolicyTerm | undefined;
}

/**
 * Shows links to the documents, to the change if it is permitted, and to the renewal. The link to
 * the renewal needs a renewal quote, permission to renew, and no pending cancellation.
 */
export function PolicyLinks({ uuid, reference, policy }: Props) {
  const links = [
    ['Documents', paths.policyView(uuid, 'documents')],
    ...(policy?.can.change ? [['Change', paths.quoteEdit(uuid)]] : []),
    ...(policy?.can.renew && policy.renewal && !policy.pending_cancellation
      ? [['Renew', paths.policyView(uuid, 'renewal')]]
      : []),
  ] as const;
  return (
    <ul className="links screenOnly" aria-label={`Policy ${reference}`}>
      {links.map(([label, to]) => (
        <li key={label}>
          <Anchor component={AppLink} to={to} fw={500} aria-label={`${label}, policy ${reference}`}>
            {label}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
