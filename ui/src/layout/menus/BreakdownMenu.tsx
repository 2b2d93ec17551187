import { Anchor, Stack, Text } from '@mantine/core';
import { useSite } from '../../api/hooks';
import { telHref } from '../../lib/format/phone';
import { paths } from '../../lib/routes/paths';
import { FRONT_PRODUCT } from '../../lib/routes/products';
import { useCoverHelp } from '../../shared/help/useCoverHelp';
import { AppLink } from '../../ui/basics/AppLink';
import { PhoneIcon } from '../../ui/icons/icons';
import classes from './BreakdownMenu.module.css';

const QUESTION = 'Broken down?';

/** Shows the help text of the front page's product, and the number to call. */
export function BreakdownHelp() {
  const { data: site } = useSite();
  const help = useCoverHelp(FRONT_PRODUCT);
  if (!site) return null;
  const number = help?.phone ?? site.assistance_phone;
  return (
    <Stack gap="sm">
      <Text fw={650}>{help?.title ?? QUESTION}</Text>
      <p>{help?.text ?? 'Get everyone to a safe place, then call us.'}</p>
      <a href={telHref(number)} className="call">
        <PhoneIcon />
        {number}
      </a>
      <CheckLink />
    </Stack>
  );
}

/** Shows a link to the page that checks the cover. */
export function CheckLink() {
  return (
    <Anchor component={AppLink} to={paths.brokenDown()} size="sm" fw={600} className="touchTarget">
      Check whether you are covered
    </Anchor>
  );
}

/**
 * Shows the question and the assistance number in one line. Without `linked`, as on payment pages,
 * the number is plain text.
 */
export function BreakdownLine({ linked }: { linked: boolean }) {
  const { data: site } = useSite();
  if (!site) return null;
  const number = site.assistance_phone;
  if (!linked) {
    return (
      <Text size="sm" className={classes.line}>
        {QUESTION} <strong className="number">{number}</strong>
      </Text>
    );
  }
  return (
    <a href={telHref(number)} className="call">
      <PhoneIcon />
      <span>
        {QUESTION} <span className="number">Call {number}</span>
      </span>
    </a>
  );
}
