import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatLongDate, formatTime } from '../../lib/dates/dates';
import { telHref } from '../../lib/format/phone';
import { LinkButton } from '../../ui/basics/LinkButton';
import { Icon } from '../../ui/icons/Icon';
import { PhoneIcon, TickIcon } from '../../ui/icons/icons';
import classes from './CoverResult.module.css';
import type { CoverAnswer } from './useCoverCheck';

interface Props {
  answer: CoverAnswer;
  /** The number to call if the response has none. */
  number: string | undefined;
  /** Switches to the search by policy number. */
  onUsePolicyNumber: () => void;
}

function ResultPanel(props: { kind: string; title: string; icon: ReactNode; children: ReactNode }) {
  return (
    <section className={`panel ${classes.message}`} data-kind={props.kind} role="status">
      <Title order={2} size="1.5rem" className="touchTarget">
        {props.icon}
        {props.title}
      </Title>
      {props.children}
    </section>
  );
}

function Call({ number, children }: { number: string | undefined; children: string }) {
  if (!number) return null;
  return (
    <a href={telHref(number)} className={`call ${classes.call}`}>
      <PhoneIcon />
      <span>
        {children} <span className="number">{number}</span>
      </span>
    </a>
  );
}

/** Shows the result of the check, with the number to call. */
export function CoverResult({ answer: { key, result }, number, onUsePolicyNumber }: Props) {
  const phone = result.phone ?? number;
  if (result.cover === 'covered') {
    return (
      <ResultPanel kind="covered" title="Yes, there is cover now" icon={<TickIcon size={28} />}>
        <p>
          {result.title}. {key === 'registration' && 'This vehicle is covered. '}Call us, and tell
          us where you are.
        </p>
        <Call number={phone}>Call</Call>
      </ResultPanel>
    );
  }
  if (result.cover === 'not_yet' && result.from) {
    return (
      <ResultPanel
        kind="not_yet"
        title="Not yet"
        icon={<Icon name="clock" size={28} fallback="alert" />}
      >
        <p>
          {result.title} begins at{' '}
          <strong>
            {formatTime(result.from)} on {formatLongDate(result.from)}
          </strong>
          . What happens before then is not covered.
        </p>
        <Call number={phone}>Questions? Call</Call>
      </ResultPanel>
    );
  }
  return (
    <ResultPanel kind="not_found" title="We found no cover" icon={<Icon name="alert" size={28} />}>
      <p>No cover that runs, or is to begin, fits these details.</p>
      <ul className="bullets">
        <li>
          Check the {key === 'registration' ? 'registration' : 'policy number'}, and the postcode of
          the address on the policy.
        </li>
        {key === 'registration' && (
          <li>
            Cover for a person is found by its policy number.{' '}
            <LinkButton underline="always" onClick={onUsePolicyNumber}>
              Look by policy number
            </LinkButton>
          </li>
        )}
        <li>Cover that has ended, was cancelled or is not paid for is not found.</li>
      </ul>
      <Call number={phone}>Not sure? Call</Call>
    </ResultPanel>
  );
}
