import { MailText } from '../../components/contact/Contact';
import classes from './Details.module.css';

export interface LabelledField {
  label: string;
  value: string;
}

/** Fields with their labels, to read. */
export function DetailsList({ fields }: { fields: readonly LabelledField[] }) {
  return (
    <dl className={classes.details}>
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <MailText address={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
