import { Text } from '@mantine/core';
import { useProduct, useSite } from '../api/hooks';
import { formatLongDate, formatTime } from '../lib/dates';
import { FRONT_PRODUCT } from '../lib/products';
import { BreakdownHelp } from './BreakdownHelp';
import { Mail, Phone } from './Contact';
import { Panel } from './Panel';

interface Props {
  product: string;
  /** Said over the roadside's words: just bought, or looked up in need. */
  title: string;
  begins: string;
  reference: string;
}

/** What to do when the cover is needed: the product's own words, or how to claim. */
export function CoverHelp({ product: identifier, title, begins, reference }: Props) {
  const { data: site } = useSite();
  const { data: product } = useProduct(identifier);
  if (!site || !product) return null;
  const { help } = product.info;
  // Until the server says it (`help` of the product's info), the front page's is the roadside's.
  if (!help && identifier === FRONT_PRODUCT) {
    return (
      <BreakdownHelp
        title={title}
        phone={site.assistance_phone}
        begins={begins}
        reference={reference}
      />
    );
  }
  const waiting = new Date(begins) > new Date();
  return (
    <Panel title={help?.title ?? 'If you need to claim'}>
      {waiting && (
        <Text mb="sm">
          What happens before {formatTime(begins)} on {formatLongDate(begins)} is not covered yet.
          From then on:
        </Text>
      )}
      <Text>
        {help?.text ?? 'Call us and tell us what has happened.'} Your policy ID is {reference}.
      </Text>
      <Text mt="sm">
        <Phone number={help?.phone ?? site.phone} />
        {!help?.phone && (
          <>
            {' '}
            ({site.hours}), or <Mail address={site.email} />
          </>
        )}
      </Text>
    </Panel>
  );
}
