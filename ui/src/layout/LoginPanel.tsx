import { Button, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { useProfile } from '../api/hooks';
import { MailText } from '../components/Contact';
import { LoginForm } from '../components/LoginForm';
import { LogoutButton } from '../components/LogoutButton';
import classes from './AccountMenu.module.css';

export default function LoginPanel({ close }: { close: () => void }) {
  const { data: profile } = useProfile();
  const navigate = useNavigate();

  if (!profile) {
    return (
      <section aria-labelledby="user-login">
        <h2 id="user-login" className={classes.title}>
          User login
        </h2>
        <LoginForm />
      </section>
    );
  }
  return (
    <section aria-label="My Account">
      <p className={classes.name}>
        <span className={classes.hello}>Hello</span>{' '}
        <MailText address={profile.email_primary ?? profile.user_username ?? ''} />
      </p>
      <Stack gap="xs">
        <Button
          onClick={() => {
            close();
            navigate('/dashboard');
          }}
        >
          View Details
        </Button>
        <LogoutButton />
      </Stack>
    </section>
  );
}
