import { useId, useState } from 'react';
import { useSignal } from '../../../lib/useSignal';
import { LoginForm } from '../../../shared/login/LoginForm';
import { Panel } from '../../../ui/basics/Panel';
import { newUser } from '../password/resetMode';
import { AuthLayout } from './AuthLayout';
import classes from './LoginScreen.module.css';

interface Props {
  /** Whether the login card gets the focus. */
  focus: boolean;
  onDone: () => void;
}

/** Shows the page of a visitor who is not logged in. Its login card is open until "Cancel". */
export function LoginScreen({ focus, onDone }: Props) {
  const [open, setOpen] = useState(true);
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
            <LoginForm username={user ?? ''} focus={focus} onDone={onDone} />
          </Panel>
        </div>
      )}
    </AuthLayout>
  );
}
