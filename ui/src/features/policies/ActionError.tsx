import { Alert, Button } from '@mantine/core';
import { errorsOf, reasonOf, statusOf } from '../../api/failure';
import { useFaultInTitle } from '../../lib/routes/title';
import { askToLogin } from '../../shared/login/loginDialog';

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
 * if `onReload` is set.
 */
export function ActionError({ title, failure, policy, onLoggedIn, onReload }: Props) {
  useFaultInTitle(true);
  const texts = [...new Set(Object.values(errorsOf(failure)).flat())];
  const status = statusOf(failure);
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
      {status === 409 && onReload && (
        <Button size="sm" mt="sm" onClick={onReload}>
          Reload
        </Button>
      )}
    </Alert>
  );
}
