import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSite } from '../../../api/hooks';
import { asText, type FieldProps } from '../../fields/shared';
import { AddressField } from '../../fields/TextField';
import { controlId } from '../../state/FormContext';

/** The field of the payer's address. The server asks for the town of this address only. */
const PAYER_ADDRESS = 'address_primary';

interface Parts {
  lines: string;
  town: string;
}

/** Splits an address. The last of several lines is the town. */
function split(address: string): Parts {
  const end = address.lastIndexOf('\n');
  if (end < 0) return { lines: address, town: '' };
  return { lines: address.slice(0, end), town: address.slice(end + 1) };
}

/**
 * Joins an address. Without a town, the address has one line, so that the server reports the
 * missing town.
 */
function join({ lines, town }: Parts): string {
  return town.trim() === '' ? lines.trim().replaceAll(/\s*\n\s*/g, ', ') : `${lines}\n${town}`;
}

/**
 * Shows the inputs for a typed address. If a gateway needs a town, the town has an input of its
 * own, and becomes the last line of the address.
 */
export function TypedAddress(props: FieldProps) {
  const { path, value, error, onChange, onLeave } = props;
  const { data: site } = useSite();
  const asksTown = site?.needs_town === true && path === PAYER_ADDRESS;
  const address = asText(value);
  // These parts differ from those of `split` while the town is empty.
  const [typed, setTyped] = useState<Parts>({ lines: '', town: '' });
  if (!asksTown) return <AddressField {...props} />;

  const parts = join(typed) === address ? typed : split(address);
  const change = (part: Partial<Parts>) => {
    const changed = { ...parts, ...part };
    setTyped(changed);
    onChange(join(changed));
  };
  const isTownMissing = parts.lines.trim() !== '' && parts.town.trim() === '';
  const townError = isTownMissing ? error : undefined;
  const id = controlId(path);
  return (
    <>
      <AddressField
        {...props}
        // The focus goes to the input with the error.
        id={townError ? `${id}-lines` : id}
        value={parts.lines}
        error={townError ? undefined : error}
        onChange={(lines) => change({ lines: asText(lines) })}
      />
      <TextInput
        id={townError ? id : `${id}-town`}
        dir="auto"
        label="Town or city"
        value={parts.town}
        error={townError}
        disabled={props.field.locked}
        maxLength={50}
        autoComplete="address-level2"
        aria-required={props.field.required || undefined}
        onChange={(event) => change({ town: event.currentTarget.value })}
        onBlur={onLeave}
      />
    </>
  );
}
