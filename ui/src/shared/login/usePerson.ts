import { useState } from 'react';
import type { Profile } from '../../api/types';
import { useSignal } from '../../lib/useSignal';
import { loginRequest } from './loginDialog';

/**
 * Returns the person logged in. If the session ends while the login dialog is open, the last person
 * stays until the dialog closes. So the page still has that person's typed text after the login.
 */
export function usePerson(profile: Profile | null | undefined): Profile | null {
  const isDialogOpen = useSignal(loginRequest) !== null;
  const [last, setLast] = useState<Profile | null>(null);
  const person = profile ?? (isDialogOpen ? last : null);
  if (person !== last) setLast(person);
  return person;
}
