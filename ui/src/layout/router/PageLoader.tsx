import { Loader, Text } from '@mantine/core';
import { isPage, type PageName } from '../../lib/routes/paths';
import { BrandMark } from '../BrandMark';
import classes from './PageLoader.module.css';

const QUIET: readonly PageName[] = [
  'payment',
  'paymentProcessing',
  'paymentSuccess',
  'paymentFailure',
  'policyView',
  'quoteEdit',
  'aggregator',
];

/** Checks whether the page has this placeholder. The other pages have their own. */
function hasPageLoader(pathname: string): boolean {
  return !isPage(pathname, ...QUIET);
}

export function PageLoader() {
  if (!hasPageLoader(window.location.pathname)) return null;
  return (
    <div className={classes.cover} role="status">
      <BrandMark />
      <Loader size="sm" aria-hidden="true" />
      <Text size="sm">Loading…</Text>
    </div>
  );
}
