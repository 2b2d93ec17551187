import type { ReactNode } from 'react';
import { AnswerList } from '../../form/AnswerList';
import { pathOf } from '../../form/answers';
import { instanceTitle } from '../../form/errors';
import { needsOf } from '../../form/summary';
import type { Dataset, Field, ProductInfo, Step } from '../../form/types';
import { cardKey } from '../../form/useOpenCards';
import classes from './Journey.module.css';
import type { Journey } from './useJourney';

interface Props {
  journey: Journey;
  info: ProductInfo;
  /** The quote's documents. */
  statement?: ReactNode;
}

/** All answers, to read before paying, each with a link to change it. */
export function Review({ journey, info, statement }: Props) {
  const { api, steps } = journey;
  const asked = steps
    .slice(0, -1)
    .flatMap((step) =>
      api.form.datasets
        .filter((dataset) => step.datasets.includes(dataset.identifier))
        .map((dataset) => ({ step, dataset })),
    );
  const needs = needsOf(info.needs, api.form, api.state);

  const change = (step: Step, dataset: Dataset, field: Field, index?: number) => {
    const path = pathOf(
      index === undefined
        ? { field: field.name }
        : { dataset: dataset.identifier, index, field: field.name },
    );
    journey.cards.setOpen(cardKey(dataset.identifier, index), true);
    journey.show(step.number, path);
    journey.goTo(step.number);
  };

  return (
    <>
      {asked.length > 0 && (
        <section className={classes.card} aria-labelledby="review-title">
          <h2 id="review-title" className={classes.cardTitle}>
            Check your answers
          </h2>
          {asked.map(({ step, dataset }) => (
            <Answers
              key={dataset.identifier}
              journey={journey}
              dataset={dataset}
              // If a step has a single group, the step's title is the better heading.
              title={step.datasets.length === 1 ? step.title : dataset.title}
              onChange={(field, index) => change(step, dataset, field, index)}
            />
          ))}
        </section>
      )}
      {needs.length > 0 && (
        <section className={classes.card} aria-labelledby="needs-title">
          <h2 id="needs-title" className={classes.cardTitle}>
            Your demands and needs
          </h2>
          {needs.map((sentence) => (
            <p key={sentence} className={classes.need}>
              {sentence}
            </p>
          ))}
          {statement}
        </section>
      )}
    </>
  );
}

function Answers(props: {
  journey: Journey;
  dataset: Dataset;
  title: string;
  onChange: (field: Field, index?: number) => void;
}) {
  const { dataset } = props;
  const { state } = props.journey.api;
  const shown = state.datasets[dataset.identifier];
  if (!shown?.visible) return null;

  if (!dataset.multi) {
    if (!dataset.fields.some((field) => shown.fields[field.name]?.visible)) return null;
    return (
      <div className={classes.group}>
        <h3>{props.title}</h3>
        <AnswerList
          fields={dataset.fields}
          states={shown.fields}
          values={state.values}
          onChange={(field) => props.onChange(field)}
        />
      </div>
    );
  }
  return shown.instances.map((states, index) => (
    <div key={cardKey(dataset.identifier, index)} className={classes.group}>
      <h3>{instanceTitle(dataset, index)}</h3>
      <AnswerList
        fields={dataset.fields}
        states={states}
        values={state.multi[dataset.identifier]?.[index] ?? {}}
        card={instanceTitle(dataset, index)}
        onChange={(field) => props.onChange(field, index)}
      />
    </div>
  ));
}
