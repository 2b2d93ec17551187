import type { ReactNode } from 'react';
import type { Field, FieldKind } from '../../api/types';
import { readAnswer } from '../answers/answers';
import { AddressFinder } from '../lookups/address/AddressFinder';
import { VehicleField } from '../lookups/vehicle/VehicleField';
import { useFormApi } from '../state/FormContext';
import type { Option } from '../types';
import { errorText } from '../validation/errors';
import { CheckField } from './CheckField';
import { ChoiceField } from './ChoiceField';
import { CardsField } from './cards/CardsField';
import { DeclineNotice } from './DeclineNotice';
import { DateField } from './date/DateField';
import { SelectField } from './SelectField';
import type { FieldProps } from './shared';
import { AddressField, TextField } from './TextField';

const CONTROLS: Record<FieldKind, (props: FieldProps) => ReactNode> = {
  cards: CardsField,
  radio: ChoiceField,
  yes_no: ChoiceField,
  select: SelectField,
  checkbox: CheckField,
  date: DateField,
  address: AddressField,
  text: TextField,
  email: TextField,
  phone: TextField,
  postcode: TextField,
  registration: TextField,
  vehicle_lookup: VehicleField,
  address_lookup: AddressFinder,
  number: TextField,
};

interface Props {
  field: Field;
  path: string;
  options: Option[];
}

/** Shows the control of a field's kind, with the answer, its error and the notice of a refusal. */
export function FieldInput({ field, path, options }: Props) {
  const { answers, errors, decisions, change, onBlur } = useFormApi();
  const Control = CONTROLS[field.kind];
  return (
    <>
      <Control
        field={field}
        path={path}
        options={options}
        value={readAnswer(answers, path)}
        error={errorText(field, errors[path]?.[0])}
        onChange={(value) => change(path, value)}
        onLeave={() => onBlur(path)}
      />
      <DeclineNotice text={decisions[path] ?? null} />
    </>
  );
}
