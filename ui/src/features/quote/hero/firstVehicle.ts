import { fieldAt, pathOf, placeOf, readAnswer } from '../../../form/answers/answers';
import { isMissing } from '../../../form/conditions/conditions';
import { normalisePlate } from '../../../form/lookups/vehicle/vehicle';
import type { Field, Form, ProductInfo } from '../../../form/types';
import type { Journey } from '../journey/useJourney';
import { pathOfStartField } from './RegistrationForm';

/** The underwriting decision about the vehicle on the first page. */
export type Verdict = 'pending' | 'accepted' | 'refused';

/** The vehicle on the first page, whose registration is looked up. */
export interface FirstVehicle {
  /** The field of the registration. */
  field: Field;
  path: string;
  plate: string;
  /** The date of first registration, if the product asks for one. */
  dateField: Field | undefined;
  datePath: string | null;
  /** Whether the date of first registration is known, or the product does not ask for it. */
  isKnown: boolean;
  verdict: Verdict;
}

/**
 * Returns the vehicle of the first page. Returns null without a registration in a visible field
 * with a vehicle look-up.
 */
export function firstVehicle(
  form: Form,
  info: ProductInfo,
  { api, priced, isDeciding }: Pick<Journey, 'api' | 'priced' | 'isDeciding'>,
): FirstVehicle | null {
  if (!info.start_field) return null;
  const { dataset, path } = pathOfStartField(info.start_field);
  const field = fieldAt(form, path);
  const plate = normalisePlate(readAnswer(api.answers, path));
  const isVisible = api.state.datasets[dataset]?.visible === true;
  if (field?.kind !== 'vehicle_lookup' || plate === '' || !isVisible) return null;
  const name = field.lookup?.fills.first_registered;
  const datePath = name ? pathOf({ ...placeOf(path), field: name }) : null;
  const isRefused = Object.keys(api.decisions).length > 0;
  return {
    field,
    path,
    plate,
    dateField: datePath ? fieldAt(form, datePath) : undefined,
    datePath,
    isKnown: datePath === null || !isMissing(readAnswer(priced.answers, datePath)),
    verdict: isRefused ? 'refused' : isDeciding ? 'pending' : 'accepted',
  };
}
