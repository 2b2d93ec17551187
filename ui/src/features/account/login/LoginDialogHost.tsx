import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../lib/navigation/reload';
import { useSignal } from '../../../lib/useSignal';
import { loginRequest } from '../../../shared/login/loginDialog';
import { useLoginRequester } from './useLoginRequester';

const LoginDialog = lazy(() => loadChunk(() => import('./LoginDialog')));

export function LoginDialogHost() {
  const request = useSignal(loginRequest);
  useLoginRequester();
  return (
    request && (
      <Suspense>
        <LoginDialog key={request.key} request={request} />
      </Suspense>
    )
  );
}
