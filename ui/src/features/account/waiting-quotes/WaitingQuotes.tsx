import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { address, api } from '../../../api/client';
import { reasonOf } from '../../../api/failure';
import { claimQuotes } from '../../../api/session/session';
import type { ListItem } from '../../../api/types';
import { formatDate } from '../../../lib/dates/dates';
import { formatMoney } from '../../../lib/format/money';
import { showSnackbar } from '../../../lib/messages/snackbar';
import { useSubmit } from '../../../lib/useSubmit';
import { Panel } from '../../../ui/basics/Panel';
import { MailText } from '../../../ui/contact/Contact';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { Check } from '../../../ui/inputs/Check';
import { FormError } from '../../../ui/inputs/FormError';
import { useAccountData } from '../useAccountData';

const WAITING = '/api/v1/quote/waiting';
const NOTHING = () => ({});

/** Reads the quotes that the customer may add to the account. */
export function useWaiting() {
  const read = async () => await api.get(WAITING, {});
  return useAccountData<ListItem[]>(address(WAITING), read);
}

/**
 * Describes a quote by the policyholder, the date and the price, so that the customer recognises
 * it.
 */
function described(quote: ListItem): string {
  const { holder_name: holder, amount_total: amount, currency } = quote;
  return [
    holder ? `for ${holder}` : null,
    `saved on ${formatDate(quote.date_created)}`,
    amount ? formatMoney(amount, currency) : null,
  ]
    .filter(Boolean)
    .join(', ');
}

interface Props {
  /** The mail address of the account. */
  mail: string;
  /** Called after the server has stored the answer. Focuses an element that stays on the page. */
  onAnswered: () => void;
}

/**
 * Asks which of the quotes with the customer's mail address belong to the customer. Another person
 * may have typed that address. After the answer, the page does not ask again about an unticked
 * quote.
 */
export function WaitingQuotes({ mail, onAnswered }: Props) {
  const read = useWaiting();
  const { data: quotes = [], error } = read;
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const { working, failure, run } = useSubmit(NOTHING);
  if (quotes.length === 0) {
    if (!error) return null;
    return <RetryLine text="We could not look for quotes with your email address." read={read} />;
  }
  const theirs = quotes.map((each) => each.policy_uuid).filter((uuid) => ticked.includes(uuid));

  const answer = (chosen: string[]) =>
    void run(async () => {
      await claimQuotes(chosen);
      showSnackbar(
        chosen.length === 0
          ? 'We will not ask about these quotes again.'
          : `${chosen.length === 1 ? 'The quote is' : 'The quotes are'} in your account now.`,
      );
      onAnswered();
    });
  const tick = (uuid: string, on: boolean) =>
    setTicked((before) => (on ? [...before, uuid] : before.filter((each) => each !== uuid)));

  return (
    <Panel title="Are these quotes yours?">
      <Stack gap="md" align="stretch">
        <Text>
          They have your email address, <MailText address={mail} />, but somebody else may have
          typed it. Tick those that are yours. We will add them to your account and not ask about
          the others again.
        </Text>
        <Stack component="ul" gap="sm">
          {quotes.map((quote) => (
            <li key={quote.policy_uuid}>
              <Check
                label={
                  <>
                    <Text span display="block" fw={600}>
                      {quote.product_short_title} {quote.custom_id}
                    </Text>
                    <span className="hint">{described(quote)}</span>
                  </>
                }
                checked={ticked.includes(quote.policy_uuid)}
                onChange={(on) => tick(quote.policy_uuid, on)}
              />
            </li>
          ))}
        </Stack>
        <FormError texts={[failure ? reasonOf(failure) : null]} />
        <Group gap="sm">
          <Button
            aria-disabled={working || theirs.length === 0 || undefined}
            data-disabled={theirs.length === 0 || undefined}
            onClick={() => {
              if (theirs.length > 0) answer(theirs);
            }}
          >
            {working ? 'Please wait...' : 'Add to my account'}
          </Button>
          <Button variant="default" aria-disabled={working || undefined} onClick={() => answer([])}>
            None of them is mine
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
