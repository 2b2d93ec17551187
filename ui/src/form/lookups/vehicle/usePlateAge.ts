import useSWR from 'swr';
import { api } from '../../../api/client';
import { isRegistration } from '../../../lib/format/uk';
import { serialisePriced } from '../../answers/serialize';
import { isStartDate } from '../../start-date/startDate';
import { useFormApi } from '../../state/FormContext';
import type { Form, PlateAge } from '../../types';
import { normalisePlate } from './vehicle';

/** What a plate's period is worked out from: registrations, and the day the cover begins. No names or addresses. */
function periodFields(form: Form): string[] {
  return form.datasets.flatMap((dataset) =>
    dataset.fields
      .filter((field) => field.kind === 'vehicle_lookup' || isStartDate(field))
      .map(({ name }) => (dataset.multi ? `${dataset.identifier}.${name}` : name)),
  );
}

/**
 * What the registration at a path tells of the day of first registration: null where it tells nothing,
 * undefined until that is known.
 */
export function usePlateAge(path: string | null, plate: unknown): PlateAge | null | undefined {
  const { form, state } = useFormApi();
  const isNeeded = path !== null && typeof plate === 'string' && isRegistration(plate);
  const { data, error } = useSWR(
    isNeeded ? (['plate', form.product_identifier, path, normalisePlate(plate)] as const) : null,
    async ([, id]) => {
      const { plates } = await api.post('/api/v1/form/{id}/check', {
        path: { id },
        body: serialisePriced(form, state, periodFields(form)),
      });
      return plates.find((each) => each.path === path) ?? null;
    },
    // Asked again whenever the card is shown: the first day of the cover may have moved.
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );
  return isNeeded && !error ? data : null;
}
