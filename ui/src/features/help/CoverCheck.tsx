import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useId, useRef } from 'react';
import { errorsOf, isPassing, reasonOf } from '../../api/failure';
import fieldClasses from '../../form/fields/Field.module.css';
import { Panel } from '../../ui/basics/Panel';
import { FormError } from '../../ui/inputs/FormError';
import classes from './CoverCheck.module.css';
import { CoverResult } from './CoverResult';
import { type SearchKey, useCoverCheck } from './useCoverCheck';

const SEARCH_KEYS: readonly { by: SearchKey; label: string }[] = [
  { by: 'registration', label: 'Registration' },
  { by: 'reference', label: 'Policy number' },
];

const INPUT = { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false };

/** Shows the form that checks the cover by the postcode and a registration or a policy number. */
export function CoverCheck({ number }: { number: string | undefined }) {
  const name = useId();
  const { form: element, working, failure, answer, ask, drop } = useCoverCheck();
  const form = useForm({
    initialValues: {
      by: 'registration' as SearchKey,
      registration: '',
      reference: '',
      postcode: '',
    },
    onValuesChange: drop,
    enhanceGetInputProps: ({ field }) => ({ name: field, error: errorsOf(failure)[field]?.[0] }),
  });
  const { by } = form.values;
  const result = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (answer) result.current?.focus();
  }, [answer]);

  // Moves the focus to the policy number, which the visitor types next.
  const shouldFocus = useRef(false);
  useEffect(() => {
    if (!shouldFocus.current || by !== 'reference') return;
    shouldFocus.current = false;
    element.current?.querySelector<HTMLElement>('[name="reference"]')?.focus();
  }, [by, element]);

  const searchByNumber = () => {
    shouldFocus.current = true;
    form.setFieldValue('by', 'reference');
  };

  return (
    <div className={classes.columns}>
      <Panel title="Check whether you are covered" className={classes.container}>
        <form
          ref={element}
          onSubmit={form.onSubmit((typed) => void ask(by, typed[by].trim(), typed.postcode.trim()))}
          noValidate
          className={classes.form}
        >
          <div role="radiogroup" aria-labelledby={`${name}-by`} className={classes.field}>
            <span id={`${name}-by`} className={fieldClasses.legend}>
              Find the cover by
            </span>
            <div className={classes.searchKeys}>
              {SEARCH_KEYS.map((option) => (
                <label key={option.by} className={fieldClasses.tile}>
                  <input
                    type="radio"
                    name={name}
                    checked={by === option.by}
                    onChange={() => form.setFieldValue('by', option.by)}
                  />
                  {option.label}
                </label>
              ))}
            </div>
          </div>
          {by === 'registration' ? (
            <TextInput
              key="registration"
              {...form.getInputProps('registration')}
              {...INPUT}
              label="Registration number"
              description="Cover for a person, in whatever vehicle, is found by its policy number."
              className={`${classes.field} ${classes.plate}`}
              classNames={{ input: 'plate' }}
              leftSection="UK"
              leftSectionWidth="2rem"
              maxLength={12}
              onChange={(event) =>
                form.setFieldValue(
                  'registration',
                  event.currentTarget.value.toLocaleUpperCase('en-GB'),
                )
              }
            />
          ) : (
            <TextInput
              key="reference"
              {...form.getInputProps('reference')}
              {...INPUT}
              label="Policy number"
              description="It is in the letter of your purchase and on your schedule."
              className={classes.field}
              maxLength={30}
            />
          )}
          <TextInput
            {...form.getInputProps('postcode')}
            {...INPUT}
            label="Postcode"
            description="Of the address on the policy."
            className={`${classes.field} ${classes.postcode}`}
            maxLength={12}
            autoComplete="postal-code"
          />
          <FormError texts={failure && isPassing(failure) ? [reasonOf(failure)] : []} />
          <Button type="submit" disabled={working} className={classes.submit}>
            {working ? 'Please wait...' : 'Check cover'}
          </Button>
          <Text className="hint">
            The answer names nobody. You can call without it: we check your cover while you wait.
          </Text>
        </form>
      </Panel>
      <div ref={result} tabIndex={-1} style={{ outline: 'none' }} className={classes.result}>
        {answer && (
          <CoverResult answer={answer} number={number} onUsePolicyNumber={searchByNumber} />
        )}
      </div>
    </div>
  );
}
