import { NativeSelect } from '@mantine/core';
import { Icon } from '../../ui/icons/Icon';
import { controlId } from '../state/FormContext';
import { asText, FieldLabel, type FieldProps, OPTION_ICON, WhyWeAsk } from './shared';

/** Shows the browser's own select element, which phones and screen readers handle well. */
export function SelectField({ field, path, options, value, error, onChange, onLeave }: FieldProps) {
  const choose = (text: string) =>
    onChange(options.find((option) => String(option.value) === text)?.value ?? null);
  const chosen = options.find((option) => option.value === value);
  const pictured = options.some((option) => option.icon);
  return (
    <div data-rows>
      <NativeSelect
        id={controlId(path)}
        name={path}
        label={<FieldLabel field={field} />}
        description={field.help}
        error={error}
        value={asText(value)}
        disabled={field.locked}
        autoComplete={field.autocomplete}
        aria-required={field.required || undefined}
        leftSection={
          pictured ? <Icon name={chosen?.icon ?? OPTION_ICON} fallback={OPTION_ICON} /> : undefined
        }
        rightSection={<Icon name="down" size={20} />}
        onChange={(event) => choose(event.currentTarget.value)}
        onBlur={onLeave}
      >
        <option value="">Choose…</option>
        {options.map((option) => (
          <option key={option.value} value={String(option.value)}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
      <WhyWeAsk field={field} />
    </div>
  );
}
