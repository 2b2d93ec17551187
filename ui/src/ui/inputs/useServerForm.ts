import { useForm } from '@mantine/form';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { errorsOf, isPassing, reasonOf } from '../../api/failure';
import { useSubmit } from '../../lib/useSubmit';

interface Options<V> {
  /** The initial values, by the field names in the server's errors. */
  initialValues: V;
  /**
   * Returns the error of each value. A field shows its error after the visitor has left the field,
   * or has pressed Enter.
   */
  validate?: (values: V) => Record<string, string | null>;
  onValuesChange?: (values: V) => void;
}

/**
 * Holds the values of a form and runs its call. The fields show the server's errors until the
 * visitor types.
 */
export function useServerForm<V extends Record<string, string>>(options: Options<V>) {
  const { initialValues, validate } = options;
  const { form: ref, working, failure, run, forget } = useSubmit(errorsOf);
  const [leftFields, setLeftFields] = useState<readonly string[]>([]);
  const form = useForm<V>({
    initialValues,
    validate,
    onValuesChange: (values) => {
      forget();
      options.onValuesChange?.(values);
    },
  });
  const { values } = form;
  const faults = validate?.(values) ?? {};
  const errors = errorsOf(failure);
  const valid = Object.values(faults).every((fault) => fault === null);
  const atFields = Object.keys(values).flatMap((name) => errors[name] ?? []);
  const leave = (...names: string[]) => setLeftFields((before) => [...before, ...names]);

  return {
    values,
    valid,
    working,
    failure,
    errors,
    /** The reason for a failed call if no field shows the error, or if a retry may help. */
    refusal: failure && (isPassing(failure) || atFields.length === 0) ? reasonOf(failure) : null,
    run,
    leave,
    /** The properties of a field's input. */
    field: (name: string) => ({
      ...form.getInputProps(name),
      name,
      value: values[name] ?? '',
      readOnly: working,
      error: (errors[name]?.[0] ?? (leftFields.includes(name) ? faults[name] : null)) as ReactNode,
      onBlur: () => leave(name),
    }),
    /** The properties of the form. An error of `validate` prevents the call. */
    props: (send: (values: V) => Promise<unknown>) => ({
      ref,
      noValidate: true,
      onSubmit: form.onSubmit(send),
      // While the button is disabled, Enter does not submit the form. This handler then shows the
      // errors.
      onKeyDown: (event: KeyboardEvent) => {
        const typing = event.target instanceof HTMLInputElement;
        if (event.key === 'Enter' && !valid && typing) leave(...Object.keys(values));
      },
    }),
  };
}
