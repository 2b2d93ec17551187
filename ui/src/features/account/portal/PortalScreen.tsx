import { Container, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useProfile } from '../../../api/hooks';
import { telHref } from '../../../lib/format/phone';
import { paths } from '../../../lib/routes/paths';
import { FRONT_PRODUCT } from '../../../lib/routes/products';
import { useDocumentTitle } from '../../../lib/routes/title';
import { useCoverHelp } from '../../../shared/help/useCoverHelp';
import { AppLink } from '../../../ui/basics/AppLink';
import { PageSkeleton } from '../../../ui/feedback/PageSkeleton';
import { ChevronIcon, PhoneIcon } from '../../../ui/icons/icons';
import { LOGIN_WANTED } from '../password/ChangedCard';
import classes from './Portal.module.css';

interface PortalLink {
  to: string;
  title: string;
  text: string;
  state?: unknown;
}

const GET_A_QUOTE: PortalLink = {
  to: paths.home(),
  title: 'Get a quote',
  text: 'See what cover would cost, in about two minutes.',
};

const CUSTOMER_LINKS: readonly PortalLink[] = [
  {
    to: paths.dashboard('policies'),
    title: 'Your policies',
    text: 'See your cover and its documents.',
  },
  {
    to: paths.dashboard('payments'),
    title: 'Your payments',
    text: 'See what you have paid, what is due, and your stored cards.',
  },
  {
    to: paths.dashboard('quotes'),
    title: 'Your quotes',
    text: 'Go on where you left off, or buy.',
  },
  {
    to: paths.dashboard('renewals'),
    title: 'Your renewals',
    text: "See the price of your next year beside your current cover's.",
  },
  { to: paths.dashboard(), title: 'Your details', text: 'Check or change what we know about you.' },
  GET_A_QUOTE,
];

const VISITOR_LINKS: readonly PortalLink[] = [
  {
    to: paths.dashboard(),
    title: 'Log in',
    text: 'See your policies, quotes and renewals.',
    state: LOGIN_WANTED,
  },
  GET_A_QUOTE,
  {
    to: paths.retrievePassword(),
    title: 'Forgotten password',
    text: "We'll send you a link to choose a new one.",
  },
];

/** Shows the customer portal, with links for a customer or, without a login, for a visitor. */
export function PortalScreen() {
  useDocumentTitle('Customer portal');
  const { data: profile, error } = useProfile();
  if (profile === undefined && !error)
    return <PageSkeleton label="Loading your account" size={1140} />;
  const name = profile?.first_name;
  return (
    <Container size={1140}>
      <Stack gap="lg">
        <div>
          <Title order={1}>{name ? `Hello ${name}` : 'Customer portal'}</Title>
          <Text c="dimmed">What would you like to do?</Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" component="ul">
          {(profile ? CUSTOMER_LINKS : VISITOR_LINKS).map((link) => (
            <li key={link.title}>
              <AppLink to={link.to} state={link.state} className={`panel ${classes.option}`}>
                <span>
                  <span className={classes.title}>{link.title}</span>
                  <span className={classes.text}>{link.text}</span>
                </span>
                <span className={classes.arrow}>
                  <ChevronIcon />
                </span>
              </AppLink>
            </li>
          ))}
          <CallUs />
        </SimpleGrid>
      </Stack>
    </Container>
  );
}

/** Shows the number to call for a claim. */
function CallUs() {
  const help = useCoverHelp(FRONT_PRODUCT);
  if (!help) return null;
  return (
    <li>
      <a href={telHref(help.phone)} className={`panel amberTop ${classes.option}`}>
        <span>
          <span className={classes.title}>{help.title}</span>
          <span className={classes.text}>
            Call {help.phone}, {help.hours ?? 'day or night'}.
          </span>
        </span>
        <PhoneIcon />
      </a>
    </li>
  );
}
