import { choicesOf } from '../review/display';
import { controlId, useFormApi } from '../state/FormContext';
import { ChoiceTiles } from './ChoiceTiles';
import { FieldLabel, type FieldProps, WhyWeAsk } from './shared';

/** Shows radio buttons as tiles, for a few short choices or for Yes and No. */
export function ChoiceField({ field, path, options, value, error, onChange }: FieldProps) {
  const { optionPrice } = useFormApi();
  return (
    <ChoiceTiles
      id={controlId(path)}
      name={path}
      legend={<FieldLabel field={field} />}
      help={field.help}
      choices={choicesOf(field, options).map((choice) => ({
        ...choice,
        extra: optionPrice?.(field, choice),
      }))}
      value={typeof value === 'boolean' ? null : value}
      error={error}
      locked={field.locked}
      onChange={onChange}
    >
      <WhyWeAsk field={field} />
    </ChoiceTiles>
  );
}
