import { Container, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useSite } from '../../api/hooks';
import { SITE_WORKER } from '../../api/policies/rescueCard';
import { telHref } from '../../lib/format/phone';
import { FRONT_PRODUCT } from '../../lib/routes/products';
import { useDocumentTitle } from '../../lib/routes/title';
import { useCoverHelp } from '../../shared/help/useCoverHelp';
import { PhoneIcon } from '../../ui/icons/icons';
import classes from './BrokenDown.module.css';
import { CoverCheck } from './CoverCheck';
import { Location } from './Location';

/** The details that the call centre asks for. */
const CHECKLIST = [
  'The registration, make and colour of the vehicle.',
  'Where you are: the road, a junction, or the nearest marker post.',
  'What has happened, and a number to call you back on.',
  'Your policy number, if you know it. You can call without it.',
];

/** Shows the page for a breakdown: first the number to call, then the check of the cover. */
export function BrokenDownScreen() {
  useDocumentTitle('Broken down?');
  const { data: site } = useSite();
  const help = useCoverHelp(FRONT_PRODUCT);
  const number = help?.phone ?? site?.assistance_phone;

  // From now on, the number is shown without a network too.
  useEffect(() => {
    void navigator.serviceWorker?.register(SITE_WORKER).catch(() => undefined);
  }, []);
  return (
    <Container size={1140}>
      <div className={`band ${classes.top}`}>
        <div className={`bandWords ${classes.intro}`}>
          <h1 className="headline">{help?.title ?? 'Broken down?'}</h1>
          <p className={classes.text}>
            {help?.text ?? 'Get everyone to a safe place, then call us.'}
          </p>
          {number && (
            <a href={telHref(number)} className={`call ${classes.call}`}>
              <PhoneIcon size={28} />
              <span>
                Call us now <span className={classes.number}>{number}</span>
              </span>
            </a>
          )}
        </div>
        <div className={classes.checklist}>
          <Title order={2} size="h3" mb="xs">
            Have at hand
          </Title>
          <ul className="lines">
            {CHECKLIST.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      </div>
      <Location />
      <CoverCheck number={number} />
    </Container>
  );
}
