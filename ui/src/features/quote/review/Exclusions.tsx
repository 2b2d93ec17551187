import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { CoverExclusion } from '../../../api/types';
import { writeAnswer } from '../../../form/answers/answers';
import { holds, type LookUp } from '../../../form/conditions/conditions';
import { evaluate } from '../../../form/conditions/visibility';
import type { FormApi } from '../../../form/state/FormContext';
import type { Form, ProductInfo, Values } from '../../../form/types';
import { PhoneDisclosure } from '../../../ui/basics/PhoneDisclosure';
import { AddedPrice } from '../price/OptionPrice';
import type { PremiumState } from '../price/PremiumFigure';
import { pricedProduct } from '../price/usePremium';
import type { Source } from '../start/tracking';
import classes from './Exclusions.module.css';

/** Whether each exclusion matters to the customer, by its id. Unanswered exclusions are missing. */
export type ExclusionAnswers = Record<string, boolean>;

export interface ExclusionAnswersProps {
  exclusionAnswers: ExclusionAnswers;
  onAnswer: (exclusionAnswers: ExclusionAnswers) => void;
}

type Api = Pick<FormApi, 'answers' | 'state' | 'change'>;

interface Props extends ExclusionAnswersProps {
  form: Form;
  info: ProductInfo;
  api: Api;
  price: PremiumState;
  source: Source;
}

/**
 * Returns the exclusions that apply to the answers: those whose condition holds, and those without
 * a condition.
 */
export function openExclusions(exclusions: CoverExclusion[], lookUp: LookUp): CoverExclusion[] {
  return exclusions.filter((exclusion) => !exclusion.when || holds(exclusion.when, lookUp));
}

interface ClosedExclusion {
  exclusion: CoverExclusion;
  /** The text about the cover after the change of answers. */
  text: string;
  /** The answers before the change, for "Undo". */
  before: Values;
}

/** Shows what the cover excludes, to read before paying. An answer is optional. */
export function Exclusions({ form, info, api, price, source, exclusionAnswers, onAnswer }: Props) {
  const [closed, setClosed] = useState<ClosedExclusion | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const heading = useId();
  const lookUp: LookUp = (name) => api.state.values[name];
  const open = openExclusions(info.exclusions, lookUp);

  // The pressed button disappears with its exclusion, so the result line gets the focus.
  useEffect(() => {
    if (closed) line.current?.focus();
  }, [closed]);

  // If another answer opens the exclusion again, the notice disappears.
  const notice = closed && !open.includes(closed.exclusion) ? closed : null;
  if (open.length === 0 && !notice) return null;

  const answerExclusion = (exclusion: CoverExclusion, matters: boolean) => {
    const { [exclusion.id]: before, ...others } = exclusionAnswers;
    onAnswer(before === matters ? others : { ...others, [exclusion.id]: matters });
  };
  const write = (values: Values) => {
    for (const [name, value] of Object.entries(values)) api.change(name, value);
  };
  return (
    <section className="panel" aria-labelledby={heading}>
      <Title order={2} id={heading} mb="0.25rem">
        What your cover would not do
      </Title>
      <Text c="dimmed" mb="xs">
        Better to know before you pay. You need not answer; what you say is kept with your policy.
      </Text>
      {notice && (
        <div ref={line} tabIndex={-1} role="status" className={`strip ${classes.notice}`}>
          <p>
            <strong>{notice.exclusion.title}: covered now.</strong> {notice.text}
          </p>
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              write(notice.before);
              setClosed(null);
            }}
          >
            Undo
          </Button>
        </div>
      )}
      <ul className="rows">
        {open.map((exclusion) => {
          const fix = exclusion.fixes.find((each) => !each.when || holds(each.when, lookUp));
          const matters = exclusionAnswers[exclusion.id];
          const priceDifference = fix && matters !== false && (
            <AddedPrice
              {...priceWith(form, info, api, fix.answers)}
              current={price.premium}
              pending={price.pending}
              source={source}
            />
          );
          return (
            <li key={exclusion.id} className={classes.exclusion}>
              <PhoneDisclosure
                id={`${heading}-${exclusion.id}`}
                title={exclusion.title}
                note={(isPhone) => isPhone && priceDifference}
                open={matters !== undefined}
              >
                {(isPhone) => (
                  <>
                    <p className={classes.text}>{exclusion.text}</p>
                    <Question
                      exclusion={exclusion}
                      matters={matters}
                      onAnswer={(answer) => answerExclusion(exclusion, answer)}
                    />
                    {fix && matters !== false && (
                      <div className={`strip ${classes.fix}`}>
                        <p>
                          {!isPhone && priceDifference} {fix.text}
                        </p>
                        <Button
                          variant="light"
                          size="sm"
                          className={classes.change}
                          onClick={() => {
                            const names = Object.keys(fix.answers);
                            const before = names.map((name) => [
                              name,
                              api.state.values[name] ?? null,
                            ]);
                            if (matters === undefined) answerExclusion(exclusion, true);
                            write(fix.answers);
                            setClosed({
                              exclusion,
                              text: fix.text,
                              before: Object.fromEntries(before),
                            });
                          }}
                        >
                          {fix.button}
                          <VisuallyHidden>: {exclusion.title}</VisuallyHidden>
                        </Button>
                      </div>
                    )}
                    {!fix && matters === true && (
                      <p className={classes.alternative}>{exclusion.instead}</p>
                    )}
                  </>
                )}
              </PhoneDisclosure>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface QuestionProps {
  exclusion: CoverExclusion;
  matters: boolean | undefined;
  onAnswer: (matters: boolean) => void;
}

/**
 * Asks whether an exclusion matters to the customer. Pressing the chosen answer again removes the
 * answer.
 */
function Question({ exclusion, matters, onAnswer }: QuestionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out beside the text
    <div
      role="group"
      className={classes.question}
      aria-label={`${exclusion.title}: does this matter to you?`}
    >
      <span className="hint">Does this matter to you?</span>
      {[true, false].map((answer) => (
        <Button
          key={String(answer)}
          size="sm"
          px="md"
          variant={matters === answer ? 'filled' : 'default'}
          className={classes.answer}
          aria-pressed={matters === answer}
          onClick={() => onAnswer(answer)}
        >
          {answer ? 'Yes' : 'No'}
        </Button>
      ))}
    </div>
  );
}

/** Returns all answers, with the changes of `fix` that close an exclusion, for a price request. */
function priceWith(form: Form, info: ProductInfo, { answers }: Api, fix: Values) {
  let other = answers;
  for (const [name, value] of Object.entries(fix)) other = writeAnswer(other, name, value);
  return { product: pricedProduct(form, info, other, evaluate(form, other)) };
}
