import { Anchor } from '@mantine/core';
import type { PolicyTerm } from '../../api/life';
import { AppLink } from '../../components/basics/AppLink';
import classes from './PolicyLinks.module.css';

interface Props {
  uuid: string;
  reference: string;
  /** Undefined until the policy has been read. */
  policy: PolicyTerm | undefined;
}

/** Links to the most used parts of a policy's page. */
export function PolicyLinks({ uuid, reference, policy }: Props) {
  const page = `/policy/view/${uuid}`;
  const links = [
    ['Documents', `${page}#documents`],
    ...(policy?.can.change ? [['Change', `/quote/edit/${uuid}`]] : []),
    ...(policy?.can.renew && policy.renewal ? [['Renew', `${page}#renewal`]] : []),
  ] as const;
  return (
    <ul className={classes.links} aria-label={`Policy ${reference}`}>
      {links.map(([label = '', to = page]) => (
        <li key={label}>
          <Anchor component={AppLink} to={to} aria-label={`${label}, policy ${reference}`}>
            {label}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
