import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { Icon } from '../../../ui/icons/Icon';
import { controlId, useFormApi } from '../../state/FormContext';
import type { Option } from '../../types';
import classes from '../Field.module.css';
import { describedBy, ErrorText, FieldLabel, type FieldProps, OPTION_ICON } from '../shared';
import own from './CardsField.module.css';

function columnsFor(count: number): 2 | 3 {
  return count === 3 || count > 4 ? 3 : 2;
}

/** Shows a large card for each choice. */
export function CardsField({ field, path, options, value, error, onChange }: FieldProps) {
  const { optionPrice, pricesFor, renderBefore, renderAfter } = useFormApi();
  const prices = pricesFor?.(field);
  const id = controlId(path);
  const levels = options.some(hasPoints);
  return (
    <fieldset
      className={levels ? own.group : undefined}
      data-error={error !== undefined || undefined}
      aria-describedby={describedBy(
        field.help && `${id}-help`,
        prices && `${id}-prices`,
        error && `${id}-error`,
      )}
    >
      <legend className={classes.question}>
        <FieldLabel field={field} />
      </legend>
      {field.help && (
        <div id={`${id}-help`} className={`hint ${classes.help}`}>
          {field.help}
        </div>
      )}
      {prices && (
        <div id={`${id}-prices`} className={`hint ${classes.help}`}>
          {prices}
        </div>
      )}
      {renderBefore?.(field)}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <div
        className={levels ? `${classes.cards} ${own.levels}` : classes.cards}
        data-columns={columnsFor(options.length)}
        data-pair={options.length % 3 === 2 || undefined}
        style={{ '--choices': options.length } as CSSProperties}
      >
        {options.map((option, index) => (
          <ChoiceCard
            key={option.value}
            id={index === 0 ? id : `${id}-${index}`}
            name={path}
            option={option}
            checked={value === option.value}
            disabled={field.locked}
            invalid={error !== undefined}
            extra={optionPrice?.(field, option)}
            onChoose={() => onChange(option.value)}
          />
        ))}
      </div>
      {renderAfter?.(field)}
    </fieldset>
  );
}

/** Checks whether a choice lists what it includes or excludes, as a level of cover does. */
function hasPoints(option: Option): boolean {
  return (option.includes?.length ?? 0) + (option.excludes?.length ?? 0) > 0;
}

interface ChoiceCardProps {
  id: string;
  name: string;
  option: Option;
  checked: boolean;
  disabled: boolean;
  invalid: boolean;
  extra: ReactNode;
  onChoose: () => void;
}

/** Returns the classes of a part of a choice card: the shared class, and this component's own. */
function cardClass(name: string): string {
  return [classes[name], own[name]].filter(Boolean).join(' ');
}

function ChoiceCard(props: ChoiceCardProps) {
  const { id, option } = props;
  const points = hasPoints(option);
  // On a phone a level shows its cover only if it is chosen or opened.
  const [open, setOpen] = useState(false);
  return (
    <div className={cardClass('card')} data-open={open || props.checked || undefined}>
      <label className={cardClass('head')} htmlFor={id}>
        {option.icon && (
          <span className={cardClass('icon')}>
            <Icon name={option.icon} fallback={OPTION_ICON} size={22} />
          </span>
        )}
        <span id={`${id}-title`} className={own.title}>
          {option.label}
        </span>
        <input
          type="radio"
          id={id}
          name={props.name}
          className={own.radio}
          checked={props.checked}
          disabled={props.disabled}
          aria-describedby={`${id}-about`}
          aria-invalid={props.invalid || undefined}
          onChange={props.onChoose}
        />
      </label>
      <div id={`${id}-about`} className={cardClass('about')}>
        {option.description && (
          <div className={`hint ${cardClass('description')}`}>{option.description}</div>
        )}
        {props.extra && <div className={cardClass('extra')}>{props.extra}</div>}
        {points && <Points option={option} />}
      </div>
      {points && !props.checked && (
        <button
          type="button"
          className={own.unfold}
          aria-expanded={open}
          aria-controls={`${id}-about`}
          onClick={() => setOpen(!open)}
        >
          What it covers
          <VisuallyHidden> {option.label}</VisuallyHidden>
          <Icon name={open ? 'up' : 'down'} size={18} />
        </button>
      )}
    </div>
  );
}

/**
 * The start of a line that includes all cover of another level. The other lines then name
 * additional cover.
 */
const ALL_OF = 'Everything in ';

/** Shows the included and excluded cover in words. The marks are decoration. */
function Points({ option }: { option: Option }) {
  const builds = option.includes?.some((text) => text.startsWith(ALL_OF)) ?? false;
  return (
    <ul className={`lines ${cardClass('points')}`}>
      {option.includes?.map((text) => (
        <li
          key={text}
          className="iconLine"
          data-added={(builds && !text.startsWith(ALL_OF)) || undefined}
        >
          <Icon
            name={builds && !text.startsWith(ALL_OF) ? 'plus' : 'check'}
            size={18}
            strokeWidth={2.25}
          />
          <span>{text}</span>
        </li>
      ))}
      {option.excludes?.map((text) => (
        <li key={text} className="iconLine" data-excluded>
          <Icon name="cross" size={18} />
          <span>
            <VisuallyHidden>Not included: </VisuallyHidden>
            {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
