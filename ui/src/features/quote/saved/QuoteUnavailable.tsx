import { Button, Text } from '@mantine/core';
import { type Product, type QuoteRead, STATUS, type StatusId } from '../../../api/types';
import { startAgain } from '../../../form/answers/startAgain';
import { useGo } from '../../../lib/navigation/navigation';
import { ContactLine, MessagePage } from '../../../ui/feedback/MessagePage';

interface Props {
  quote: QuoteRead;
  product: Product;
  onCorrect: () => void;
}

function titleOf(status: StatusId): string {
  switch (status) {
    case STATUS.declined:
      return "We can't offer you this cover online";
    case STATUS.refer:
      return 'We need to look at your quote';
    case STATUS.lapsed:
      return 'This quote has run out';
    default:
      return 'This quote was not taken up';
  }
}

function reasonOf(status: StatusId): string {
  switch (status) {
    case STATUS.declined:
      return 'Please call us and we will see how we can help.';
    case STATUS.refer:
      return 'Please call us: one of our team will go through it with you.';
    case STATUS.lapsed:
      return 'Prices are held for a while only. Starting again with the same answers takes a moment.';
    default:
      return 'You can start again with the same answers.';
  }
}

/** Shows a quote that is not for sale: the reason, the contact, and the next steps. */
export function QuoteUnavailable({ quote, product, onCorrect }: Props) {
  const go = useGo();
  const { info } = quote;
  const open = info.status_id === STATUS.declined || info.status_id === STATUS.refer;

  return (
    <MessagePage
      title={titleOf(info.status_id)}
      actions={
        <>
          {open && <Button onClick={onCorrect}>Check your answers</Button>}
          <Button
            variant={open ? 'default' : 'filled'}
            onClick={() => void go(startAgain(product.info.product_identifier, quote))}
          >
            Start again
          </Button>
        </>
      }
    >
      <Text>{info.reason ?? reasonOf(info.status_id)}</Text>
      <Text c="dimmed">Quote ID: {info.custom_id}</Text>
      <ContactLine />
    </MessagePage>
  );
}
