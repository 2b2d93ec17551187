import { useSite } from '../../api/hooks';
import { Mail, Phone } from '../../components/Contact';
import { Icon } from '../../form/Icon';
import classes from './Summary.module.css';

/** Somebody to ask. */
export function ContactBlock() {
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <div className={classes.block}>
      <h2 className={classes.ask}>Got any questions or need a hand?</h2>
      <ul className={classes.contact}>
        <li>
          <Icon name="clock" size={20} />
          <span>{site.hours}</span>
        </li>
        <li>
          <Icon name="call" size={20} />
          <Phone number={site.phone} />
        </li>
        <li>
          <Icon name="mail" size={20} />
          <Mail address={site.email} />
        </li>
      </ul>
    </div>
  );
}

/** What others say: an independent rating, and their reviews where the shop has them. */
export function Ratings() {
  const { data: site } = useSite();
  if (!site?.rating_badge && !site?.reviews_frame) return null;
  return (
    <div className={classes.ratings}>
      {site.rating_badge && (
        <img
          className={classes.badge}
          src={site.rating_badge.image}
          alt={site.rating_badge.alt}
          loading="lazy"
          onError={(event) => {
            // A badge that can't be fetched is absent, not broken.
            event.currentTarget.hidden = true;
          }}
        />
      )}
      {site.reviews_frame && (
        <iframe
          className={classes.reviews}
          src={site.reviews_frame}
          title="Customer reviews"
          height={28}
          loading="lazy"
        />
      )}
    </div>
  );
}
