import { useState } from 'react';
import type { Profile } from '../../api/types';
import { useSignal } from '../../lib/useSignal';
import { loginRequest } from './loginDialog';

/**
 * The person logged in. If the session ends while the login dialog is open, the last person is kept
 * until it closes, so that what was typed is still there after the same person's login.
 */
export function usePerson(profile: Profile | null | undefined): Profile | null {
  const isDialogOpen = useSignal(loginRequest) !== null;
  const [last, setLast] = useState<Profile | null>(null);
  const person = profile ?? (isDialogOpen ? last : null);
  if (person !== last) setLast(person);
  return person;
}
