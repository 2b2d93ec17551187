import { useSite } from '../../api/hooks';
import { Panel } from '../basics/Panel';
import { Icon } from '../icons/Icon';
import { Mail, Phone } from './Contact';
import classes from './ContactBlock.module.css';

/** Shows the shop's opening hours, telephone number and mail address. */
export function ContactBlock({ className }: { className?: string }) {
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <Panel title="Got any questions or need a hand?" className={className}>
      <ul className={classes.contact}>
        <li className="iconLine">
          <Icon name="clock" size={20} />
          <span>{site.hours}</span>
        </li>
        <li className="iconLine">
          <Icon name="call" size={20} />
          <Phone number={site.phone} />
        </li>
        <li className="iconLine">
          <Icon name="mail" size={20} />
          <Mail address={site.email} />
        </li>
      </ul>
    </Panel>
  );
}
