import { useEffect, useLayoutEffect } from 'react';
import { useProfile } from '../../api/hooks';
import { dateStyle, showDates } from '../../lib/dates/dateStyle';
import { datesOf, isPreferencesOf } from '../../lib/storage/preferences';
import { useSignal } from '../../lib/useSignal';

/**
 * Applies the date format of the person logged in. The caller renders again when the format
 * changes.
 */
export function useDateStyle(): void {
  const { data: profile } = useProfile();
  const user = profile?.user_uuid;
  useLayoutEffect(() => showDates(datesOf(user)), [user]);
  useEffect(() => {
    // Another tab may store another choice.
    const follow = ({ key }: StorageEvent) => {
      if (isPreferencesOf(user, key)) showDates(datesOf(user));
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [user]);
  useSignal(dateStyle);
}
