import { Icon } from '../../ui/icons/Icon';
import { saysOptional } from '../review/display';
import type { Field, Option, Scalar } from '../types';
import classes from './shared.module.css';

/** The properties of every kind of control. */
export interface FieldProps {
  field: Field;
  path: string;
  /** The choices that are available with the present answers. */
  options: Option[];
  value: Scalar | undefined;
  error: string | undefined;
  onChange: (value: Scalar) => void;
  onLeave: () => void;
}

/** The icon of a choice whose own icon is missing or unknown. */
export const OPTION_ICON = 'tag';

export function asText(value: Scalar | undefined): string {
  return value === undefined || value === null || typeof value === 'boolean' ? '' : String(value);
}

/** Shows the label, with "(optional)" if no answer is required. A checkbox has no such note. */
export function FieldLabel({ field }: { field: Field }) {
  // The product's label may already contain "(optional)".
  const optional = !field.required && field.kind !== 'checkbox' && !saysOptional(field);
  return (
    <>
      {field.label}
      {optional && <span className={classes.optional}> (optional)</span>}
    </>
  );
}

export function ErrorText({ id, children }: { id: string; children: string }) {
  return (
    <div id={id} className={`iconLine ${classes.error}`}>
      <Icon name="alert" size={18} />
      <span>{children}</span>
    </div>
  );
}

export function WhyWeAsk({ field }: { field: Field }) {
  if (!field.why) return null;
  return (
    <details className={`more screenOnly ${classes.why}`}>
      <summary>Why we ask</summary>
      <p>{field.why}</p>
    </details>
  );
}

/**
 * Joins the ids of the texts that describe a control, for `aria-describedby`. Returns undefined if
 * there are none.
 */
export function describedBy(...ids: (string | false | undefined | null)[]): string | undefined {
  return ids.filter(Boolean).join(' ') || undefined;
}
