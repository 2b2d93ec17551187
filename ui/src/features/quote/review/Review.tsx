import { Text, Title, VisuallyHidden } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { AnswerInWords } from '../../../form/lookups/AnswerInWords';
import { type Group, groupsOf, type ReviewItem } from '../../../form/review/reviewGroups';
import { needsOf } from '../../../form/review/summary';
import type { ProductInfo } from '../../../form/types';
import { LinkButton } from '../../../ui/basics/LinkButton';
import type { Journey } from '../journey/useJourney';
import classes from './Review.module.css';

interface Props {
  journey: Journey;
  info: ProductInfo;
  /** The quote's documents. */
  statement?: ReactNode;
}

/**
 * Shows the answers of all steps before the last, to check before paying. A group that the customer
 * can change has a button that opens the card.
 */
export function Review({ journey, info, statement }: Props) {
  const { api, steps } = journey;
  const groups = groupsOf(steps.slice(0, -1), api.form, api.state, api.derived);
  const needs = needsOf(info.needs, api.form, api.state);

  const change = (group: Group) => {
    journey.cards.setOpen(group.key, true);
    journey.focusAfterStep(group.step, group.path);
    journey.goTo(group.step);
  };

  return (
    <>
      {groups.length > 0 && (
        <section className="panel" aria-labelledby="review-title">
          <Title order={2} id="review-title" mb="xs">
            Check your answers
          </Title>
          <div className="rows">
            {groups.map((group) => (
              <div key={group.key} className={classes.group}>
                <Title order={3} size="md">
                  {group.title}
                </Title>
                {group.path && (
                  <LinkButton className={classes.change} onClick={() => change(group)}>
                    Change
                    <VisuallyHidden> {group.title}</VisuallyHidden>
                  </LinkButton>
                )}
                <div className={classes.items}>
                  {group.lines.map((line) => (
                    <p key={line.items[0]?.field.name}>
                      {line.items.map(({ field, answer }, index) => (
                        <Fragment key={field.name}>
                          {index > 0 && line.separator}
                          <bdi data-kind={field.kind}>{answer}</bdi>
                        </Fragment>
                      ))}
                    </p>
                  ))}
                  {group.rest.length > 0 && <Rest items={group.rest} />}
                </div>
              </div>
            ))}
          </div>
        </section>
      )}
      {needs.length > 0 && (
        <section className="panel" aria-labelledby="needs-title">
          <Title order={2} id="needs-title">
            Your demands and needs
          </Title>
          {needs.map((sentence) => (
            <Text key={sentence} mt="sm">
              {sentence}
            </Text>
          ))}
          {statement}
        </section>
      )}
    </>
  );
}

function Rest({ items }: { items: ReviewItem[] }) {
  return (
    <dl className={`hint ${classes.rest}`}>
      {items.map(({ field, question, answer, path, value }) => (
        <div key={field.name}>
          <dt>{question}</dt>{' '}
          <dd data-missing={answer === '' || undefined}>
            {answer ? <AnswerInWords field={field} path={path} value={value} /> : 'Not answered'}
          </dd>
        </div>
      ))}
    </dl>
  );
}
