import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import type { Server } from '../../api/testing';
import type { FieldKind } from '../../api/types';
import { formChecked } from '../../testing/data';
import { serve } from '../../testing/server';
import { ConfirmHost } from '../../ui/feedback/ConfirmHost';
import { initialAnswers } from '../answers/answers';
import { DatasetCard } from '../cards/DatasetCard';
import { FormProvider } from '../state/FormContext';
import { useForm } from '../state/useForm';
import type { Answers, Field, Form, KnownVehicle, PlateAge } from '../types';
import { savedLookUps } from './savedLookUps';

function field(name: string, label: string, kind: FieldKind, more: Partial<Field> = {}): Field {
  return {
    name,
    label,
    kind,
    value: null,
    default: null,
    visible: true,
    display_only: false,
    locked: false,
    force_hidden: false,
    required: true,
    rateable: false,
    errors: [],
    options: [],
    validation: {},
    ...more,
  };
}

const BOATS: Field[] = [
  field('mark', 'Registration number', 'vehicle_lookup', {
    lookup: {
      fills: { make: 'maker', model: 'model', colour: 'colour', first_registered: 'since' },
      notes: { mot: 'The MOT ran out on {until}. See the wording.', tax: 'It is not taxed.' },
    },
  }),
  field('since', 'Date of first registration', 'date'),
  field('maker', 'Make (optional)', 'text', { required: false }),
  field('model', 'Model (optional)', 'text', { required: false }),
  field('colour', 'Colour (optional)', 'text', { required: false, folded: true }),
];

const HOME: Field[] = [
  field('code', 'Postcode', 'address_lookup', { lookup: { fills: { lines: 'lines' }, notes: {} } }),
  field('lines', 'Address', 'address'),
  field('phone', 'Another telephone', 'phone', { required: false, folded: true }),
  field('mobile', 'Mobile', 'phone', {
    required: false,
    required_when: { field: 'phone', set: false },
  }),
];

const BERTHS: Field[] = [
  field('berth_code', 'Postcode of the berth', 'address_lookup', {
    lookup: { fills: { lines: 'berth_lines' }, notes: {} },
  }),
  field('berth_lines', 'Address of the berth', 'address'),
];

const dataset = (
  id: number,
  identifier: string,
  title: string,
  fields: Field[],
  multi: boolean,
) => ({
  id,
  identifier,
  title,
  fields,
  multi,
  visible: true,
  statements: [],
  min: multi ? 1 : 0,
  max: 10,
});

/** A product that no shop has. Look-ups depend only on the kinds of fields. */
export const FORM = {
  product_identifier: 'boats',
  product_id: 9,
  datasets: [
    dataset(1, 'home', 'Home', HOME, false),
    {
      ...dataset(2, 'boats', 'Boats', BOATS, true),
      another_note: 'A second boat costs less.',
    },
    { ...dataset(3, 'berths', 'Berths', BERTHS, true), min: 0 },
  ],
} as Form;

export const FIESTA: KnownVehicle = {
  registration: 'AB12 CDE',
  make: 'FORD',
  model: 'FIESTA',
  colour: 'BLUE',
  fuel: 'PETROL',
  first_registered: '2012-03',
  mot: { status: 'valid', until: '2027-03-01' },
  tax: { status: 'taxed', until: '2027-04-01' },
  source: 'dvsa',
  sample: false,
  lookup_id: '018f0000-0000-7000-8000-000000000001',
};

export const AGE: PlateAge = {
  path: 'boats.0.mark',
  fills: 'boats.0.since',
  from: '2012-03-01',
  until: '2012-08-31',
  matters: false,
};

export const VEHICLE = 'POST /api/v1/lookup/vehicle';
export const ADDRESS = 'POST /api/v1/lookup/address';

/** The answers and look-ups of the form at the last render. */
export const shown: { answers: Answers; lookups: ReturnType<typeof savedLookUps> } = {
  answers: { values: {}, multi: {} },
  lookups: [],
};

function Page({ start, open }: { start: Answers; open: boolean }) {
  const { api, cards } = useForm<never>({ form: FORM, start: { answers: start }, open });
  shown.answers = api.answers;
  shown.lookups = savedLookUps(FORM, api.answers, api.state);
  return (
    <FormProvider value={api}>
      {FORM.datasets.map((each) => (
        <DatasetCard key={each.identifier} dataset={each} cards={cards} onToggle={() => {}} />
      ))}
      <button type="button">Next</button>
      <ConfirmHost />
    </FormProvider>
  );
}

/** Renders the form with a server. The server's check of the form returns `ages`. */
export function fillIn(
  server: Server,
  start: Partial<Answers> = {},
  ages: PlateAge[] = [AGE],
  open = true,
) {
  const calls = serve(server, {
    'POST /api/v1/form/{id}/check': () => ({ data: { ...formChecked({}), plates: ages } }),
  });
  const answers = { ...initialAnswers(FORM), ...start };
  const page = render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>
      <MantineProvider env="test">
        <Page start={answers} open={open} />
      </MantineProvider>
    </SWRConfig>,
  );
  return { calls, page, user: userEvent.setup() };
}

/** Presses the button that removes a card, and confirms. */
export async function removeCard(user: UserEvent, title: string) {
  await user.click(press(`Remove ${title}`));
  await user.click(await screen.findByRole('button', { name: 'Yes' }));
}

/** Returns the input with a label, or null if the form shows no such input. */
export const boxOf = (label: string | RegExp) => screen.queryByLabelText<HTMLInputElement>(label);
export const mark = () => screen.getByLabelText<HTMLInputElement>('Registration number');
export const press = (name: string | RegExp) => screen.getByRole('button', { name });
export const boat = () => shown.answers.multi.boats?.[0] ?? {};
