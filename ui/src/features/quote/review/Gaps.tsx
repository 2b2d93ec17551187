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
import classes from './Gaps.module.css';

/** Whether each gap matters to the customer, by its id. Unanswered gaps are missing. */
export type GapAnswers = Record<string, boolean>;

export interface GapAnswersProps {
  gapAnswers: GapAnswers;
  onAnswer: (gapAnswers: GapAnswers) => void;
}

type Api = Pick<FormApi, 'answers' | 'state' | 'change'>;

interface Props extends GapAnswersProps {
  form: Form;
  info: ProductInfo;
  api: Api;
  price: PremiumState;
  source: Source;
}

/** The gaps of the cover with these answers. */
export function openGaps(gaps: CoverExclusion[], lookUp: LookUp): CoverExclusion[] {
  return gaps.filter((gap) => !gap.when || holds(gap.when, lookUp));
}

interface ClosedGap {
  gap: CoverExclusion;
  /** The present cover. */
  text: string;
  /** The answers before. */
  before: Values;
}

/** What the cover excludes, to read before paying. An answer is optional. */
export function Gaps({ form, info, api, price, source, gapAnswers, onAnswer }: Props) {
  const [closed, setClosed] = useState<ClosedGap | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const heading = useId();
  const lookUp: LookUp = (name) => api.state.values[name];
  const open = openGaps(info.gaps, lookUp);

  // The pressed button goes with its gap, so the result line gets the focus.
  useEffect(() => {
    if (closed) line.current?.focus();
  }, [closed]);

  // A gap that another answer opens again is not announced any more.
  const notice = closed && !open.includes(closed.gap) ? closed : null;
  if (open.length === 0 && !notice) return null;

  const answerGap = (gap: CoverExclusion, matters: boolean) => {
    const { [gap.id]: before, ...others } = gapAnswers;
    onAnswer(before === matters ? others : { ...others, [gap.id]: matters });
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
            <strong>{notice.gap.title}: covered now.</strong> {notice.text}
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
        {open.map((gap) => {
          const fix = gap.cures.find((each) => !each.when || holds(each.when, lookUp));
          const matters = gapAnswers[gap.id];
          const priceDifference = fix && matters !== false && (
            <AddedPrice
              {...priceWith(form, info, api, fix.answers)}
              current={price.premium}
              pending={price.pending}
              source={source}
            />
          );
          return (
            <li key={gap.id} className={classes.gap}>
              <PhoneDisclosure
                id={`${heading}-${gap.id}`}
                title={gap.title}
                note={(isPhone) => isPhone && priceDifference}
                open={matters !== undefined}
              >
                {(isPhone) => (
                  <>
                    <p className={classes.text}>{gap.text}</p>
                    <Question
                      gap={gap}
                      matters={matters}
                      onAnswer={(answer) => answerGap(gap, answer)}
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
                            if (matters === undefined) answerGap(gap, true);
                            write(fix.answers);
                            setClosed({ gap, text: fix.text, before: Object.fromEntries(before) });
                          }}
                        >
                          {fix.button}
                          <VisuallyHidden>: {gap.title}</VisuallyHidden>
                        </Button>
                      </div>
                    )}
                    {!fix && matters === true && (
                      <p className={classes.alternative}>{gap.instead}</p>
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
  gap: CoverExclusion;
  matters: boolean | undefined;
  onAnswer: (matters: boolean) => void;
}

/** Whether a gap matters to the customer. A second press removes the answer. */
function Question({ gap, matters, onAnswer }: QuestionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out beside the text
    <div
      role="group"
      className={classes.question}
      aria-label={`${gap.title}: does this matter to you?`}
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

/** The answers that close a gap, for its price. */
function priceWith(form: Form, info: ProductInfo, { answers }: Api, fix: Values) {
  let other = answers;
  for (const [name, value] of Object.entries(fix)) other = writeAnswer(other, name, value);
  return { product: pricedProduct(form, info, other, evaluate(form, other)) };
}
