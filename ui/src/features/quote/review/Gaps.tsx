import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { Gap } from '../../../api/types';
import { Fold } from '../../../components/basics/Fold';
import { writeAnswer } from '../../../form/answers';
import { holds, type LookUp } from '../../../form/conditions';
import type { FormApi } from '../../../form/FormContext';
import type { Form, ProductInfo, Values } from '../../../form/types';
import { evaluate } from '../../../form/visibility';
import { MorePrice } from '../price/OptionPrice';
import type { PremiumState } from '../price/PremiumFigure';
import { pricedProduct } from '../price/usePremium';
import type { Source } from '../start/tracking';
import classes from './Gaps.module.css';

/** Whether each gap matters to the customer, by its id. An unanswered one is not in it. */
export type GapAnswers = Record<string, boolean>;

export interface GapsSaid {
  said: GapAnswers;
  onSay: (said: GapAnswers) => void;
}

type Api = Pick<FormApi, 'answers' | 'state' | 'change'>;

interface Props extends GapsSaid {
  form: Form;
  info: ProductInfo;
  api: Api;
  price: PremiumState;
  source: Source;
}

/** The gaps that the cover of these answers has. */
export function openGaps(gaps: Gap[], lookUp: LookUp): Gap[] {
  return gaps.filter((gap) => !gap.when || holds(gap.when, lookUp));
}

interface Closed {
  gap: Gap;
  /** What the cover does now. */
  text: string;
  /** The answers before. */
  before: Values;
}

/** What the cover would not do, to be read before paying. Nobody has to answer anything. */
export function Gaps({ form, info, api, price, source, said, onSay }: Props) {
  const [closed, setClosed] = useState<Closed | null>(null);
  const line = useRef<HTMLDivElement>(null);
  const heading = useId();
  const lookUp: LookUp = (name) => api.state.values[name];
  const open = openGaps(info.gaps, lookUp);

  // The pressed button is gone with its gap, so the line that says what became of it gets the focus.
  useEffect(() => {
    if (closed) line.current?.focus();
  }, [closed]);

  // A gap that is open again, by another answer of the form, is no news any more.
  const news = closed && !open.includes(closed.gap) ? closed : null;
  if (open.length === 0 && !news) return null;

  const say = (gap: Gap, matters: boolean) => {
    const { [gap.id]: before, ...others } = said;
    onSay(before === matters ? others : { ...others, [gap.id]: matters });
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
      {news && (
        <div ref={line} tabIndex={-1} role="status" className={`strip ${classes.news}`}>
          <p>
            <strong>{news.gap.title}: covered now.</strong> {news.text}
          </p>
          <Button
            variant="default"
            size="sm"
            onClick={() => {
              write(news.before);
              setClosed(null);
            }}
          >
            Undo
          </Button>
        </div>
      )}
      <ul className="rows">
        {open.map((gap) => {
          const cure = gap.cures.find((each) => !each.when || holds(each.when, lookUp));
          const matters = said[gap.id];
          const more = cure && matters !== false && (
            <MorePrice
              {...priceWith(form, info, api, cure.answers)}
              current={price.premium}
              pending={price.pending}
              source={source}
            />
          );
          return (
            <li key={gap.id} className={classes.gap}>
              <Fold
                id={`${heading}-${gap.id}`}
                title={gap.title}
                note={(folds) => folds && more}
                open={matters !== undefined}
              >
                {(folds) => (
                  <>
                    <p className={classes.text}>{gap.text}</p>
                    <Question gap={gap} matters={matters} onSay={(answer) => say(gap, answer)} />
                    {cure && matters !== false && (
                      <div className={`strip ${classes.cure}`}>
                        <p>
                          {!folds && more} {cure.text}
                        </p>
                        <Button
                          variant="light"
                          size="sm"
                          className={classes.change}
                          onClick={() => {
                            const names = Object.keys(cure.answers);
                            const before = names.map((name) => [
                              name,
                              api.state.values[name] ?? null,
                            ]);
                            if (matters === undefined) say(gap, true);
                            write(cure.answers);
                            setClosed({ gap, text: cure.text, before: Object.fromEntries(before) });
                          }}
                        >
                          {cure.button}
                          <VisuallyHidden>: {gap.title}</VisuallyHidden>
                        </Button>
                      </div>
                    )}
                    {!cure && matters === true && <p className={classes.instead}>{gap.instead}</p>}
                  </>
                )}
              </Fold>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface Asked {
  gap: Gap;
  matters: boolean | undefined;
  onSay: (matters: boolean) => void;
}

/** Whether a gap matters to the customer. A second press takes the answer back. */
function Question({ gap, matters, onSay }: Asked) {
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
          onClick={() => onSay(answer)}
        >
          {answer ? 'Yes' : 'No'}
        </Button>
      ))}
    </div>
  );
}

/** The answers with which a gap is closed, as they are priced. */
function priceWith(form: Form, info: ProductInfo, { answers }: Api, cure: Values) {
  let other = answers;
  for (const [name, value] of Object.entries(cure)) other = writeAnswer(other, name, value);
  return { product: pricedProduct(form, info, other, evaluate(form, other)) };
}
