import type { Product, StepperData } from '../../api/types';
import product from './product.json';
import stepper from './stepper.json';

/** The product of the shared fixtures, as the server publishes it. */
export const PRODUCT = product as unknown as Product;
export const STEPPER = stepper as unknown as StepperData;
export const FORM = PRODUCT.form;
export const STEPS = STEPPER.product_steps[STEPPER.default]?.steps ?? [];

/** Noon of the day before the start dates of the fixtures. */
export const TODAY = new Date('2026-11-21T12:00:00Z');

export function datasetNamed(identifier: string) {
  const dataset = FORM.datasets.find((each) => each.identifier === identifier);
  if (!dataset) throw new Error(`The fixture has no dataset ${identifier}`);
  return dataset;
}

/** Answers that a quote can be saved with: one person, one car, national cover. */
export const COMPLETE = {
  values: {
    cover_type: 2,
    cover_level: 3,
    excess: 2,
    start_date: '22.11.2026',
    title: 4,
    first_name: 'Ann',
    last_name: 'Smith',
    date_of_birth: '03.03.1980',
    email_primary: 'ann@example.com',
    tel_primary: '020 7946 0018',
    address_primary: '1 High Street\nLondon',
    postcode_primary: 'SW1A 1AA',
  },
  multi: {
    vehicles: [
      {
        vehicle_type: 1,
        vehicle_registration: 'AB12 CDE',
        vehicle_registration_date: '01.03.2015',
      },
    ],
  },
};
