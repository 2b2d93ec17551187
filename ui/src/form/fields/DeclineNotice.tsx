import { useSite } from '../../api/hooks';
import { useAnnounce } from '../../lib/messages/announce';
import { Phone } from '../../ui/contact/Contact';
import { Icon } from '../../ui/icons/Icon';
import classes from './DeclineNotice.module.css';

/** Shows a text. If the text contains the shop's telephone number, the number is a link. */
export function WithPhone({ text }: { text: string }) {
  const { data: site } = useSite();
  const phoneIndex = site ? text.indexOf(site.phone) : -1;
  if (!site || phoneIndex < 0) return text;
  return (
    <>
      {text.slice(0, phoneIndex)}
      <Phone number={site.phone} />
      {text.slice(phoneIndex + site.phone.length)}
    </>
  );
}

/**
 * Shows the underwriting refusal at the answer that causes it, and announces it. The visitor may go
 * on.
 */
export function DeclineNotice({ text }: { text: string | null }) {
  useAnnounce(text);
  if (!text) return null;
  return (
    <p className={`note iconLine ${classes.decision}`} data-decision>
      <Icon name="info" size={20} />
      <span>
        <WithPhone text={text} />
      </span>
    </p>
  );
}
