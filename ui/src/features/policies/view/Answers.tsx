import { Title } from '@mantine/core';
import type { Dataset, Field, Form, QuoteRead, Values } from '../../../api/types';
import { pathOf } from '../../../form/answers/answers';
import { evaluate, type FieldStates } from '../../../form/conditions/visibility';
import { monthOfRegistration } from '../../../form/lookups/vehicle/datePrecision';
import { answerText, plainLabel } from '../../../form/review/display';
import { Panel } from '../../../ui/basics/Panel';

/**
 * Checks whether a dataset describes the policyholder. Such a dataset is not repeatable and has a
 * field for the mail address.
 */
function isHolder(dataset: Dataset): boolean {
  return !dataset.multi && dataset.fields.some((field) => field.kind === 'email');
}

interface AnswersProps {
  form: Form;
  /** The instance of a repeatable dataset. */
  place?: { dataset: string; index: number };
  fields: Field[];
  states: FieldStates;
  values: Values;
}

/** Shows the visible fields that have an answer. */
function Rows({ form, place, fields, states, values }: AnswersProps) {
  return (
    <dl className="rows answers">
      {fields.map((field) => {
        const value = values[field.name];
        const month = monthOfRegistration(form, pathOf({ ...place, field: field.name }), value);
        const answer = states[field.name]?.visible ? (month ?? answerText(field, value)) : '';
        if (!answer) return null;
        return (
          <div key={field.name}>
            <dt>{plainLabel(field)}</dt>
            <dd data-kind={field.kind}>{answer}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function capitalised(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

/**
 * Returns the heading of a dataset, such as "Vehicles". Returns the dataset's title if the dataset
 * has neither a plural nor a noun.
 */
function plural(dataset: Dataset): string {
  if (dataset.plural) return capitalised(dataset.plural);
  return dataset.noun ? `${capitalised(dataset.noun)}s` : dataset.title;
}

/** Shows the policyholder and the instances of visible repeatable datasets, such as vehicles. */
export function Answers({ form, read }: { form: Form; read: Pick<QuoteRead, 'values' | 'multi'> }) {
  const state = evaluate(form, { values: read.values, multi: read.multi });
  return form.datasets.map((dataset) => {
    const shown = state.datasets[dataset.identifier];
    if (!shown?.visible) return null;
    if (isHolder(dataset)) {
      return (
        <Panel key={dataset.identifier} title="Policyholder">
          <Rows form={form} fields={dataset.fields} states={shown.fields} values={read.values} />
        </Panel>
      );
    }
    const instances = read.multi[dataset.identifier] ?? [];
    if (!dataset.multi || instances.length === 0) return null;
    return (
      <Panel key={dataset.identifier} title={plural(dataset)}>
        {instances.map((values, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: instances have no id, and their order never changes here
          <div key={index}>
            <Title order={3} size="md" mt="md">
              {capitalised(dataset.noun ?? dataset.title)} {index + 1}
            </Title>
            <Rows
              form={form}
              place={{ dataset: dataset.identifier, index }}
              fields={dataset.fields}
              states={shown.instances[index] ?? {}}
              values={values}
            />
          </div>
        ))}
      </Panel>
    );
  });
}
