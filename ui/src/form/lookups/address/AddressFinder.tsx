import { Button, Group, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatPostcode, isPostcode } from '../../../lib/format/uk';
import { useAnnounce } from '../../../lib/messages/announce';
import { LinkButton } from '../../../ui/basics/LinkButton';
import { fieldAt, pathOf, placeOf, readAnswer } from '../../answers/answers';
import fieldClasses from '../../fields/Field.module.css';
import { asText, ErrorText, type FieldProps } from '../../fields/shared';
import { TextField } from '../../fields/TextField';
import { controlId, useFormApi } from '../../state/FormContext';
import type { FoundAddress } from '../../types';
import { errorText } from '../../validation/errors';
import classes from '../LookUp.module.css';
import styles from './AddressFinder.module.css';
import { TypedAddress } from './TypedAddress';
import { linesOf, type Search, useAddressSearch } from './useAddressSearch';

/** The text after a failed search. */
const FAILED = "We couldn't look up addresses just now. Please type yours.";

/**
 * Returns the text about a search, for the page and for screen readers. Returns null before a
 * search, and after an error of the postcode.
 */
function lineFor(search: Search, postcode: string): string | null {
  switch (search.state) {
    case 'asking':
      return 'Looking for your address…';
    case 'found':
      return search.addresses.length === 1
        ? 'We found one address and filled it in.'
        : `We found ${search.addresses.length} addresses. Choose yours.`;
    case 'unknown':
      return `We couldn't find that at ${formatPostcode(postcode)}. Check it, or type the address.`;
    case 'failed':
      return FAILED;
    case 'refused':
    case 'none':
      return null;
  }
}

/**
 * Shows a postcode with a search for its addresses, and the address. The visitor may also type the
 * address.
 */
export function AddressFinder(props: FieldProps) {
  const { field, path, value, error, onChange, onLeave } = props;
  const { form, answers, errors, change, onBlur, setHome } = useFormApi();
  const name = field.lookup?.fills.lines;
  const linesPath = pathOf({ ...placeOf(path), field: name ?? '' });
  const linesField = name === undefined ? undefined : fieldAt(form, linesPath);
  const lines = asText(readAnswer(answers, linesPath));
  const linesError = errorText(linesField, errors[linesPath]?.[0]);
  const postcode = asText(value);
  const { search, find, forget } = useAddressSearch();
  const [mode, setMode] = useState<'search' | 'type' | null>(null);
  const [house, setHouse] = useState('');
  const [chosen, setChosen] = useState<FoundAddress | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  /** The address as typed before the search. */
  const typed = useRef('');
  const box = useRef<HTMLDivElement>(null);
  /**
   * The handlers of the last render. The path of an instance may change during a search, and these
   * handlers have the present path.
   */
  const handlers = useRef<{ choose: (address: FoundAddress) => void; type: () => void }>(null);
  // An existing address, such as a profile's, is shown as it is.
  const typing = mode === 'type' || (mode === null && lines !== '' && !chosen);
  const line = lineFor(search, postcode);
  useAnnounce(line);

  if (!linesField) return <TextField {...props} />;

  const choose = (address: FoundAddress) => {
    setChosen(address);
    change(linesPath, linesOf(address));
    const { latitude, longitude, sample } = address;
    const homePostcode = formatPostcode(address.postcode || postcode);
    onChange(homePostcode);
    // The position of a sample address is not stored.
    const hasPosition = !sample && latitude !== null && longitude !== null;
    setHome(hasPosition ? { path, postcode: homePostcode, latitude, longitude } : undefined);
  };

  /** Removes the chosen address from the answers, unless the visitor has changed it. */
  const clearChoice = () => {
    if (chosen && lines === linesOf(chosen)) change(linesPath, null);
    setChosen(null);
  };

  /**
   * Shows the input for the address. Fills an empty input with the address typed before, or with
   * the typed house.
   */
  const type = () => {
    const before = typed.current || house.trim();
    if (lines === '' && before !== '') change(linesPath, before);
    setMode('type');
    // Moves the focus only if the focus is in this field or on no element.
    const hasFocus = box.current?.contains(document.activeElement);
    if (!hasFocus && document.activeElement !== document.body) return;
    requestAnimationFrame(() => document.getElementById(controlId(linesPath))?.focus());
  };

  const typeIt = () => {
    if (search.state === 'asking') forget();
    type();
  };

  handlers.current = { choose, type };

  const searchAddresses = async (named: string, code = postcode) => {
    if (search.state === 'asking') return;
    setMode('search');
    clearChoice();
    if (!isPostcode(code)) {
      setFault('Enter a full UK postcode such as BA1 2QP');
      return document.getElementById(controlId(path))?.focus();
    }
    const outcome = await find(code, named);
    if (outcome?.state === 'refused') return setFault(outcome.fault);
    if (outcome?.state === 'failed') handlers.current?.type();
    const isSingle = outcome?.state === 'found' && outcome.addresses.length === 1;
    if (isSingle && outcome.addresses[0]) handlers.current?.choose(outcome.addresses[0]);
  };

  const postcodeBox = (
    <TextField
      {...props}
      error={fault ?? error}
      onChange={(text) => {
        setFault(null);
        // The found addresses belong to the earlier postcode.
        const isOtherPostcode = formatPostcode(asText(text)) !== formatPostcode(postcode);
        if (!typing && search.state !== 'none' && isOtherPostcode) {
          forget();
          clearChoice();
        }
        onChange(text);
      }}
      onLeave={onLeave}
      onEnter={typing ? undefined : () => void searchAddresses(house)}
    />
  );

  if (typing) {
    return (
      <div ref={box} className={styles.address}>
        {search.state === 'failed' && <p className="hint">{FAILED}</p>}
        <TypedAddress
          field={linesField}
          path={linesPath}
          options={[]}
          value={lines}
          error={linesError}
          onChange={(text) => {
            // In this mode, an emptied address does not return to the search.
            setMode('type');
            change(linesPath, text);
          }}
          onLeave={() => onBlur(linesPath)}
        />
        {postcodeBox}
        {!linesField.locked && !field.locked && (
          <LinkButton
            size="sm"
            className={classes.other}
            onClick={() => {
              forget();
              typed.current = lines;
              // The address is hidden now, so its answer is removed.
              change(linesPath, null);
              setMode('search');
              requestAnimationFrame(() => document.getElementById(controlId(path))?.focus());
            }}
          >
            Find the address by its postcode
          </LinkButton>
        )}
      </div>
    );
  }

  const several = search.state === 'found' && search.addresses.length > 1;
  return (
    <div ref={box} className={styles.address}>
      <div className={classes.search}>
        {postcodeBox}
        <TextInput
          // Without a list or a chosen address, this input shows the error of a missing address.
          id={several || chosen ? undefined : controlId(linesPath)}
          label="House number or name"
          value={house}
          maxLength={60}
          autoComplete="off"
          error={several || chosen ? undefined : linesError}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            void searchAddresses(house);
          }}
          onChange={(event) => setHouse(event.currentTarget.value)}
        />
        <Button
          variant="default"
          className={classes.find}
          aria-busy={search.state === 'asking'}
          onClick={() => void searchAddresses(house)}
        >
          {search.state === 'asking' ? 'Please wait…' : 'Find address'}
        </Button>
      </div>
      {line && (
        <p className="hint">
          {line}
          {search.state === 'found' &&
            search.addresses.some(({ sample }) => sample) &&
            ' This is sample data: these addresses are made up.'}
        </p>
      )}
      {search.state === 'unknown' && search.suggestions.length > 0 && (
        <Suggestions
          texts={search.suggestions}
          onChoose={(text) => {
            // The suggestion is another postcode, or a house of this postcode.
            if (isPostcode(text)) {
              onChange(text);
              return void searchAddresses(house, text);
            }
            setHouse(text);
            void searchAddresses(text);
          }}
        />
      )}
      {several && (
        <fieldset aria-describedby={linesError && `${controlId(linesPath)}-error`}>
          <legend className={fieldClasses.legend}>Choose your address</legend>
          <div className={styles.list}>
            {search.addresses.map((address, index) => (
              <label key={address.id} className={styles.choice}>
                <input
                  type="radio"
                  id={index === 0 ? controlId(linesPath) : undefined}
                  name={linesPath}
                  checked={chosen?.id === address.id}
                  aria-invalid={linesError !== undefined || undefined}
                  onChange={() => choose(address)}
                />
                <span>{address.label}</span>
              </label>
            ))}
          </div>
          {linesError && <ErrorText id={`${controlId(linesPath)}-error`}>{linesError}</ErrorText>}
        </fieldset>
      )}
      {chosen && !several && (
        <p className={styles.chosen} id={controlId(linesPath)} tabIndex={-1}>
          {linesOf(chosen)}
        </p>
      )}
      <LinkButton size="sm" className={classes.other} onClick={typeIt}>
        {chosen ? 'Change this address' : 'Type the address'}
      </LinkButton>
    </div>
  );
}

/** Shows suggested houses or postcodes as buttons. */
function Suggestions({ texts, onChoose }: { texts: string[]; onChoose: (text: string) => void }) {
  return (
    <Group gap="xs">
      <p>Did you mean one of these?</p>
      {texts.map((text) => (
        <Button key={text} variant="light" size="sm" onClick={() => onChoose(text)}>
          {text}
        </Button>
      ))}
    </Group>
  );
}
