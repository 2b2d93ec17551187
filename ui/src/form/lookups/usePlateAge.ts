import useSWR from 'swr';
import { api } from '../../api/client';
import { canBePlate } from '../../lib/uk';
import { useFormApi } from '../FormContext';
import { serialise } from '../serialize';
import type { PlateAge } from '../types';
import { barePlate } from './vehicle';

/**
 * What the registration at a path tells of the day of first registration: null where it tells nothing,
 * undefined until that is known.
 */
export function usePlateAge(path: string | null, plate: unknown): PlateAge | null | undefined {
  const { form, state } = useFormApi();
  const wanted = path !== null && typeof plate === 'string' && canBePlate(plate);
  const { data, error } = useSWR(
    wanted ? (['plate', form.product_identifier, path, barePlate(plate)] as const) : null,
    async ([, id]) => {
      const { plates } = await api.post('/api/v1/form/{id}', {
        path: { id },
        body: serialise(form, state),
      });
      return plates.find((each) => each.path === path) ?? null;
    },
    // Asked again whenever the card is shown: the first day of the cover may have moved.
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );
  return wanted && !error ? data : null;
}
