import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { errorsOf, isPassing, reasonOf } from '../../api/failure';
import { Panel } from '../../components/basics/Panel';
import { FormError } from '../../components/inputs/FormError';
import classes from './CoverCheck.module.css';
import { CoverResult } from './CoverResult';
import { PlateInput } from './PlateInput';
import { type By, useCoverCheck } from './useCoverCheck';

const WAYS: readonly { by: By; label: string }[] = [
  { by: 'registration', label: 'Registration' },
  { by: 'reference', label: 'Policy number' },
];

/** Says whether there is cover, by a registration or a policy number and the postcode. */
export function CoverCheck({ number }: { number: string | undefined }) {
  const name = useId();
  const [by, setBy] = useState<By>('registration');
  const [typed, setTyped] = useState<Record<By, string>>({ registration: '', reference: '' });
  const [postcode, setPostcode] = useState('');
  const { form, working, failure, answered, ask, drop } = useCoverCheck();
  const result = useRef<HTMLDivElement>(null);
  const faults = errorsOf(failure);

  useEffect(() => {
    if (answered) result.current?.focus();
  }, [answered]);

  // Whoever goes on by the policy number types there next.
  const goesOn = useRef(false);
  useEffect(() => {
    if (!goesOn.current || by !== 'reference') return;
    goesOn.current = false;
    form.current?.querySelector<HTMLElement>('[name="reference"]')?.focus();
  }, [by, form]);

  const change = (text: string) => {
    setTyped({ ...typed, [by]: text });
    drop();
  };

  const choose = (chosen: By) => {
    setBy(chosen);
    drop();
  };

  const byNumber = () => {
    goesOn.current = true;
    choose('reference');
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void ask(by, typed[by].trim(), postcode.trim());
  };

  return (
    <div className={classes.columns}>
      <Panel title="Check whether you are covered" className={classes.room}>
        <form ref={form} onSubmit={submit} noValidate className={classes.form}>
          <div role="radiogroup" aria-labelledby={`${name}-by`} className={classes.field}>
            <span id={`${name}-by`} className={classes.legend}>
              Find the cover by
            </span>
            <div className={classes.ways}>
              {WAYS.map((way) => (
                <label key={way.by} className={classes.way}>
                  <input
                    type="radio"
                    name={name}
                    checked={by === way.by}
                    onChange={() => choose(way.by)}
                  />
                  {way.label}
                </label>
              ))}
            </div>
          </div>
          {by === 'registration' ? (
            <PlateInput
              value={typed.registration}
              error={faults.registration?.[0]}
              onChange={change}
              hint="Cover for a person, in whatever vehicle, is found by its policy number."
            />
          ) : (
            <TextInput
              name="reference"
              label="Policy number"
              description="It is in the letter of your purchase and on your schedule."
              className={classes.field}
              value={typed.reference}
              error={faults.reference?.[0]}
              maxLength={30}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              onChange={(event) => change(event.currentTarget.value)}
            />
          )}
          <TextInput
            name="postcode"
            label="Postcode"
            description="Of the address on the policy."
            value={postcode}
            error={faults.postcode?.[0]}
            maxLength={12}
            autoComplete="postal-code"
            autoCapitalize="characters"
            spellCheck={false}
            className={`${classes.field} ${classes.postcode}`}
            onChange={(event) => {
              setPostcode(event.currentTarget.value);
              drop();
            }}
          />
          <FormError texts={failure && isPassing(failure) ? [reasonOf(failure)] : []} />
          <Button type="submit" disabled={working} className={classes.go}>
            {working ? 'Please wait...' : 'Check cover'}
          </Button>
          <p className={classes.small}>
            The answer names nobody. You can call without it: we check your cover while you wait.
          </p>
        </form>
      </Panel>
      <div ref={result} tabIndex={-1} className={classes.result}>
        {answered && <CoverResult answered={answered} number={number} onByNumber={byNumber} />}
      </div>
    </div>
  );
}
