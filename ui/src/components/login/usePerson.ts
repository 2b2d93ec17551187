import { useState } from 'react';
import type { Profile } from '../../api/types';
import { loginRequest } from '../../lib/loginDialog';
import { useSignal } from '../../lib/signal';

/**
 * Who is here. After a login that failed nobody is, but what they typed waits while the login
 * dialog is open, in case the same person goes on.
 */
export function usePerson(profile: Profile | null | undefined): Profile | null {
  const asking = useSignal(loginRequest) !== null;
  const [last, setLast] = useState<Profile | null>(null);
  const person = profile ?? (asking ? last : null);
  if (person !== last) setLast(person);
  return person;
}
