import { useId, useState } from 'react';
import { useSignal } from '../../../lib/useSignal';
import { LoginForm } from '../../../shared/login/LoginForm';
import { Panel } from '../../../ui/basics/Panel';
import { newUser } from '../password/resetMode';
import { AuthLayout } from './AuthLayout';
import classes from './LoginScreen.module.css';

interface Props {
  /** Whether the visitor was sent here to log in. The login card then starts open. */
  loginWanted: boolean;
  /** Whether the login card gets the focus. */
  focus: boolean;
}

export function LoginScreen({ loginWanted, focus }: Props) {
  const [open, setOpen] = useState(loginWanted);
  const user = useSignal(newUser);
  const id = useId();
  return (
    <AuthLayout
      title="Please Log in to proceed"
      id={`${id}-title`}
      intro={
        <>
          <p>
            This page is for existing users. Here you can track previous purchases and outstanding
            orders, and view or change your account details.
          </p>
          <button
            type="button"
            className={open ? classes.cancel : classes.open}
            aria-expanded={open}
            aria-controls={open ? `${id}-card` : undefined}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Cancel' : 'Login'}
          </button>
        </>
      }
    >
      {open && (
        <div id={`${id}-card`}>
          <Panel title="Login">
            <LoginForm username={user ?? ''} focus={focus} />
          </Panel>
        </div>
      )}
    </AuthLayout>
  );
}
