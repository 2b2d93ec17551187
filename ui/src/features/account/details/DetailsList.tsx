import { Facts } from '../../../ui/basics/Facts';
import { MailText } from '../../../ui/contact/Contact';
import classes from './DetailsList.module.css';

export interface LabelledField {
  label: string;
  value: string;
}

export function DetailsList({ fields }: { fields: readonly LabelledField[] }) {
  return (
    <Facts
      className={classes.details}
      rows={fields.map(({ label, value }) => [label, <MailText key={label} address={value} />])}
    />
  );
}
