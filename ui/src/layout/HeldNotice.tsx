import { Alert } from '@mantine/core';
import { useSite } from '../api/hooks';
import { Phone } from '../ui/contact/Contact';

/** Says that the shop sells nothing for now, and whom to call. Shows nothing in an open shop. */
export default function HeldNotice() {
  const { data: site } = useSite();
  if (!site?.held) return null;
  return (
    <Alert color="yellow" radius={0} title="We will be back soon" role="status">
      We are putting our records in order. Until then nothing can be bought or changed here. Your
      cover goes on, and you can read your policies and documents. Call us on{' '}
      <Phone number={site.phone} />, or after a breakdown on{' '}
      <Phone number={site.assistance_phone} />.
    </Alert>
  );
}
