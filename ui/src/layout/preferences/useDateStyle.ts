import { useEffect, useLayoutEffect } from 'react';
import { useProfile } from '../../api/hooks';
import { dateStyle, showDates } from '../../lib/dates/dateStyle';
import { datesOf, isPreferencesOf } from '../../lib/storage/preferences';
import { useSignal } from '../../lib/useSignal';

/**
 * Shows dates as the person logged in has chosen. Whatever calls it is drawn again when that
 * changes, and what it draws with it.
 */
export function useDateStyle(): void {
  const { data: profile } = useProfile();
  const user = profile?.user_uuid;
  useLayoutEffect(() => showDates(datesOf(user)), [user]);
  useEffect(() => {
    // The choice was made in another tab.
    const follow = ({ key }: StorageEvent) => {
      if (isPreferencesOf(user, key)) showDates(datesOf(user));
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [user]);
  useSignal(dateStyle);
}
