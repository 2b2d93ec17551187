import { Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { loadChunk } from '../lib/navigation/reload';
import { UserIcon } from '../ui/icons/icons';
import classes from './AccountMenu.module.css';
import { Dropdown } from './Dropdown';

const LoginPanel = lazy(() => loadChunk(() => import('./menus/LoginPanel')));

export function AccountMenu() {
  return (
    <Dropdown
      label={
        <>
          <span className={classes.icon}>
            <UserIcon />
          </span>
          My Account
        </>
      }
    >
      {(close) => (
        <Suspense fallback={<Loader size="sm" aria-label="Loading" />}>
          <LoginPanel close={close} />
        </Suspense>
      )}
    </Dropdown>
  );
}
