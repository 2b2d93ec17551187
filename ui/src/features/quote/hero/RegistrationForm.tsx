import { type FormEvent, useId, useLayoutEffect, useState } from 'react';
import type { StartField as Given } from '../../../api/types';
import { readAnswer } from '../../../form/answers/answers';
import type { FormApi } from '../../../form/state/FormContext';
import { formatRegistration, isRegistration } from '../../../lib/format/uk';
import { watchPrerenderedForm } from './prerenderedForm';
import classes from './RegistrationForm.module.css';

interface Props {
  startField: Given;
  api: FormApi;
  /** Called after the answers are stored, with the typed registration or null. */
  onBegin: (plate: string | null) => void;
}

/**
 * Returns the dataset of the start field, and the path of the answer in the first instance of that
 * dataset.
 */
export function pathOfStartField(startField: Given): { dataset: string; path: string } {
  const [dataset = '', field = ''] = startField.field.split('.');
  return { dataset, path: `${dataset}.0.${field}` };
}

/** Shows a large number plate to type into, and a button for a visitor without a registration. */
export function RegistrationForm({ startField, api, onBegin }: Props) {
  const id = useId();
  const { dataset, path } = pathOfStartField(startField);
  const stored = readAnswer(api.answers, path);
  const [readPrerendered] = useState(watchPrerenderedForm);
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const shown = typed ?? (typeof stored === 'string' ? stored : '');

  const begin = (answers: Given['answers'], plate: string | null) => {
    for (const [name, value] of Object.entries(answers)) api.change(name, value);
    onBegin(plate);
  };

  const submitPlate = (text: string) => {
    const plate = formatRegistration(text.trim());
    if (plate && !isRegistration(plate)) {
      setFault('Enter a UK registration number such as AB12 CDE');
      return document.getElementById(id)?.focus();
    }
    if (plate) {
      if (!api.answers.multi[dataset]?.length) api.add(dataset);
      api.change(path, plate);
    }
    setTyped(null);
    begin(startField.answers, plate || null);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the prerendered form is read once
  useLayoutEffect(() => {
    const before = readPrerendered();
    if (!before) return;
    setTyped(before.plate || null);
    if (before.isPressed) submitPlate(before.plate);
    else if (before.hasFocus) document.getElementById(id)?.focus();
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    submitPlate(shown);
  };

  return (
    <form className={`screenOnly ${classes.form}`} noValidate onSubmit={submit}>
      <label htmlFor={id} className={classes.label}>
        {startField.label}
      </label>
      <div className={classes.row}>
        <div className={classes.plate}>
          <span className={classes.band} aria-hidden="true">
            UK
          </span>
          <input
            id={id}
            className={classes.input}
            value={shown}
            maxLength={12}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-invalid={fault !== null || undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
            onChange={(event) => {
              setTyped(event.currentTarget.value.toLocaleUpperCase('en-GB'));
              setFault(null);
            }}
          />
        </div>
        {fault && (
          <p id={`${id}-fault`} role="alert" className={classes.fault}>
            {fault}
          </p>
        )}
        <button type="submit" className={classes.submit}>
          {startField.button}
        </button>
      </div>
      <button
        type="button"
        className={classes.other}
        onClick={() => begin(startField.other_answers, null)}
      >
        {startField.other}
      </button>
    </form>
  );
}
