import { useSite } from '../../../api/hooks';
import classes from './Ratings.module.css';

/** Shows an independent rating and customers' reviews, if the shop has them. */
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
            // Hides a badge that can't be loaded.
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
