import { Alert, Button } from '@mantine/core';
import { ApiError } from '../../api/client';
import { errorsOf, reasonOf, statusOf } from '../../api/failure';
import { paths } from '../../lib/routes/paths';
import { useFaultInTitle } from '../../lib/routes/title';
import { askToLogin } from '../../shared/login/loginDialog';
import { AppLink } from '../../ui/basics/AppLink';

interface Props {
  title: string;
  failure: unknown;
  /** The uuid of the policy on the screen. The policy stays on the screen during a login. */
  policy: string;
  onLoggedIn?: () => void;
  /** Reads the data on the screen again. */
  onReload?: () => void;
}

/**
 * Shows the reason for a failure. A login button follows 401 and 403. A reload button follows 409,
 * if `onReload` is set. If a monthly payment is due, a link to the payments follows instead.
 */
export function ActionError({ title, failure, policy, onLoggedIn, onReload }: Props) {
  useFaultInTitle(true);
  const texts = [...new Set(Object.values(errorsOf(failure)).flat())];
  const status = statusOf(failure);
  const isPaymentDue = failure instanceof ApiError && failure.code === 'payment_due';
  const logIn = async () => {
    if (await askToLogin({ quote: policy })) onLoggedIn?.();
  };
  return (
    <Alert color="red" title={title} role="alert">
      {texts.length > 0 ? (
        texts.map((text) => <div key={text}>{text}</div>)
      ) : (
        <div>{reasonOf(failure)}</div>
      )}
      {(status === 401 || status === 403) && (
        <Button size="sm" mt="sm" onClick={() => void logIn()}>
          Login
        </Button>
      )}
      {isPaymentDue && (
        <Button component={AppLink} to={paths.policyView(policy, 'payments')} size="sm" mt="sm">
          Pay now
        </Button>
      )}
      {status === 409 && !isPaymentDue && onReload && (
        <Button size="sm" mt="sm" onClick={onReload}>
          Reload
        </Button>
      )}
    </Alert>
  );
}
