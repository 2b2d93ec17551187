import useSWR from 'swr';
import { api } from '../../../api/client';
import { isRegistration } from '../../../lib/format/uk';
import { serialisePriced } from '../../answers/serialize';
import { isStartDate } from '../../start-date/startDate';
import { useFormApi } from '../../state/FormContext';
import type { Form, PlateAge } from '../../types';
import { normalisePlate } from './vehicle';

/**
 * Returns the fields that a plate's period depends on: registrations and start dates. None of these
 * answers is a person's name or an address.
 */
function periodFields(form: Form): string[] {
  return form.datasets.flatMap((dataset) =>
    dataset.fields
      .filter((field) => field.kind === 'vehicle_lookup' || isStartDate(field))
      .map(({ name }) => (dataset.multi ? `${dataset.identifier}.${name}` : name)),
  );
}

/**
 * Reads the plate's period of first registration. Returns undefined until the response arrives.
 * Returns null if the plate has no period or the call fails. Also returns null if `path` is null,
 * or if `plate` is no registration.
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
    // SWR reads the period again whenever the card is shown: the first day of cover may have moved.
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );
  return isNeeded && !error ? data : null;
}
