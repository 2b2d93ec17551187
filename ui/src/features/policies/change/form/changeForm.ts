import type { PolicyRead, PolicyTerm } from '../../../../api/policies/policyTypes';
import { applyLocks } from '../../../../form/answers/applyLocks';
import type { Dataset, Form } from '../../../../form/types';

const LOCK_REASONS: Record<string, string> = {
  start_date: 'Cover that has been bought keeps its first day.',
  email_primary: 'It is your account: you change it under My Account.',
};
const DEFAULT_LOCK_REASON = 'This stays as it was bought. Please call us if it is wrong.';

/**
 * Checks whether a dataset holds the customer's agreement to the purchase. Such a dataset has a
 * required checkbox.
 */
function isAgreement(dataset: Dataset): boolean {
  return dataset.fields.some((field) => field.kind === 'checkbox' && field.required);
}

export interface ChangeForm {
  form: Form;
  /** Statements that must still be true after the change. */
  statements: string[];
}

/**
 * Builds the product's form for a change, without the agreements to the purchase. Locks the fields
 * in `policy.locked` and shows the reason as the hint of the field.
 */
export function changeForm(product: Form, read: PolicyRead, policy: PolicyTerm): ChangeForm {
  const locked = new Set(policy.locked ?? []);
  const form = applyLocks(product, read);
  const datasets = form.datasets
    .filter((dataset) => !isAgreement(dataset))
    .map((dataset) => ({
      ...dataset,
      fields: dataset.fields.map((field) => {
        const name = dataset.multi ? `${dataset.identifier}.${field.name}` : field.name;
        if (!locked.has(name)) return field;
        const help = LOCK_REASONS[field.name] ?? DEFAULT_LOCK_REASON;
        return { ...field, locked: true, display_only: true, help };
      }),
    }));
  return {
    form: { ...form, datasets },
    statements: form.datasets.filter(isAgreement).flatMap((dataset) => dataset.statements),
  };
}
