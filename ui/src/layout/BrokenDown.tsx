import { useSite } from '../api/hooks';
import { AppLink } from '../components/basics/AppLink';
import { useCoverHelp } from '../components/cover/useCoverHelp';
import { PhoneIcon } from '../components/icons/icons';
import { paths } from '../lib/paths';
import { telephone } from '../lib/phone';
import { FRONT_PRODUCT } from '../lib/products';
import classes from './BrokenDown.module.css';

const QUESTION = 'Broken down?';

/** What to do now, and the number that is answered at any hour. */
export function BrokenDownHelp() {
  const { data: site } = useSite();
  const help = useCoverHelp(FRONT_PRODUCT);
  if (!site) return null;
  const number = help?.phone ?? site.assistance_phone;
  return (
    <div className={classes.help}>
      <p className={classes.title}>{help?.title ?? QUESTION}</p>
      <p>{help?.text ?? 'Get everyone to a safe place, then call us.'}</p>
      <a href={telephone(number)} className={classes.call}>
        <PhoneIcon />
        {number}
      </a>
      <CheckLink />
    </div>
  );
}

/** Leads to the page that says whether there is cover. */
export function CheckLink() {
  return (
    <AppLink to={paths.brokenDown()} className={classes.check}>
      Check whether you are covered
    </AppLink>
  );
}

/** The same in one line: a link to call, or plain text where nothing may lead away. */
export function BrokenDownLine({ linked }: { linked: boolean }) {
  const { data: site } = useSite();
  if (!site) return null;
  const number = site.assistance_phone;
  if (!linked) {
    return (
      <p className={classes.line}>
        {QUESTION} <strong>{number}</strong>
      </p>
    );
  }
  return (
    <a href={telephone(number)} className={classes.call}>
      <PhoneIcon />
      <span>
        {QUESTION} <span className={classes.number}>Call {number}</span>
      </span>
    </a>
  );
}
