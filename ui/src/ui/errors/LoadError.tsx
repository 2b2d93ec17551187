import { Button, Text } from '@mantine/core';
import { useLocation } from 'react-router';
import { ApiError } from '../../api/client';
import { useProfile, useSite } from '../../api/hooks';
import { paths } from '../../lib/routes/paths';
import { isExternal, markRedirected, signOnAddress, wasRedirected } from '../../lib/session/signOn';
import { AppLink } from '../basics/AppLink';
import { ContactLine, MessagePage } from '../feedback/MessagePage';

interface Props {
  what: 'quote' | 'policy' | 'payment';
  error: unknown;
  /** Whether the visitor followed a mailed link that is no longer valid. */
  deadLink?: boolean;
  onRetry: () => void;
}

const HIDDEN = [401, 403, 404];

/**
 * Says that a quote, policy or payment could not be read. The texts for a reader without access
 * (401, 403 or 404) differ from those for a failed call.
 */
export function LoadError({ what, error, deadLink = false, onRetry }: Props) {
  const { data: site } = useSite();
  const { data: profile } = useProfile();
  const { pathname, search, hash } = useLocation();
  // Letters lead to a part of a policy's page. The fragment of a quote's page may be a secret.
  const back = what === 'policy' ? `${pathname}${search}${hash}` : pathname;
  const hidden = error instanceof ApiError && HIDDEN.includes(error.status);
  if (hidden && what === 'payment') {
    return (
      <MessagePage
        title="We can't show this payment here"
        actions={
          profile ? undefined : (
            <LogIn signOn={site?.login_redirect ?? paths.dashboard()} back={back} />
          )
        }
      >
        <Text>
          To keep your details private, a payment is shown only in the browser it was begun in, or
          in the account it belongs to. Nothing is lost by that: if you have paid, we email you as
          soon as the payment is confirmed.
        </Text>
        <Text>
          To see how it stands, open the link in our email with your quote, or log in. Please don't
          pay a second time before you know.
        </Text>
        <ContactLine />
      </MessagePage>
    );
  }
  if (hidden) {
    return (
      <MessagePage
        title={deadLink ? 'This link no longer works' : `We can't open this ${what} here`}
        actions={
          <>
            {!profile && <LogIn signOn={site?.login_redirect ?? paths.dashboard()} back={back} />}
            <Button component={AppLink} to={paths.home()} variant="default">
              Start a new quote
            </Button>
          </>
        }
      >
        {deadLink && <Text>It is too old, or the {what} has joined an account since.</Text>}
        <Text>
          To keep your details private, a {what} opens only in the browser it was made in, or in the
          account it belongs to. Please open it there, or log in.
        </Text>
        <ContactLine />
      </MessagePage>
    );
  }
  return (
    <MessagePage
      title={`We couldn't load your ${what}`}
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      <Text>Nothing is lost. Please try again in a moment.</Text>
      <ContactLine />
    </MessagePage>
  );
}

/**
 * Links to the login page. Replaces another site's login page with our own login if this tab was
 * redirected there within the last minute.
 */
function LogIn({ signOn, back: backPath }: { signOn: string; back: string }) {
  const elsewhere = isExternal(signOn);
  const loginPath = elsewhere && wasRedirected() ? paths.dashboard() : signOn;
  return (
    <Button
      component="a"
      href={signOnAddress(loginPath, backPath)}
      onClick={() => {
        if (elsewhere) markRedirected();
      }}
    >
      Log in
    </Button>
  );
}
