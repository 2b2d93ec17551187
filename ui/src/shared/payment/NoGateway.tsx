import { Text } from '@mantine/core';
import { useSite } from '../../api/hooks';
import { Mail, Phone } from '../../ui/contact/Contact';

/** Shows how to reach the shop if it takes no online payments. */
export function NoGateway() {
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <Text role="alert">
      <strong>We can't take payments online at the moment.</strong> Nothing you typed is lost.
      Please call <Phone number={site.phone} /> ({site.hours}) or email{' '}
      <Mail address={site.email} />, and we will help you.
    </Text>
  );
}
