import { Anchor } from '@mantine/core';
import { telHref } from '../../lib/format/phone';

export function Phone({ number }: { number: string }) {
  return (
    <Anchor href={telHref(number)} fw={600} style={{ whiteSpace: 'nowrap' }}>
      {number}
    </Anchor>
  );
}

/** Shows a mail address that may wrap after the "@". */
export function MailText({ address }: { address: string }) {
  const domainIndex = address.lastIndexOf('@') + 1;
  if (domainIndex === 0) return address;
  return (
    <>
      {address.slice(0, domainIndex)}
      <wbr />
      {address.slice(domainIndex)}
    </>
  );
}

export function Mail({ address }: { address: string }) {
  return (
    <Anchor href={`mailto:${address}`} fw={600}>
      {address}
    </Anchor>
  );
}
