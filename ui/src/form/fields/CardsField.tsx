import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icons/Icon';
import { controlId, useFormApi } from '../FormContext';
import type { Option } from '../types';
import classes from './Field.module.css';
import { describedBy, ErrorText, FieldLabel, type FieldProps, OPTION_ICON } from './shared';

function columnsFor(count: number): 2 | 3 {
  return count === 3 || count > 4 ? 3 : 2;
}

/** One large card for each choice; used for choices that change the price or the questions. */
export function CardsField({ field, path, options, value, error, onChange }: FieldProps) {
  const { optionExtra, pricesFor, picture } = useFormApi();
  const prices = pricesFor?.(field);
  const id = controlId(path);
  return (
    <fieldset
      className={classes.group}
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
        <div id={`${id}-help`} className={classes.help}>
          {field.help}
        </div>
      )}
      {prices && (
        <div id={`${id}-prices`} className={classes.help}>
          {prices}
        </div>
      )}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      <div
        className={classes.cards}
        data-columns={columnsFor(options.length)}
        data-pair={options.length % 3 === 2 || undefined}
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
            extra={optionExtra?.(field, option)}
            onChoose={() => onChange(option.value)}
          />
        ))}
      </div>
      {picture?.(field)}
    </fieldset>
  );
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

function ChoiceCard(props: ChoiceCardProps) {
  const { id, option } = props;
  const points = (option.includes?.length ?? 0) + (option.excludes?.length ?? 0) > 0;
  return (
    <div className={classes.card}>
      <label className={classes.head} htmlFor={id}>
        {option.icon && (
          <span className={classes.icon}>
            <Icon name={option.icon} otherwise={OPTION_ICON} size={22} />
          </span>
        )}
        <span id={`${id}-title`} className={classes.title}>
          {option.label}
        </span>
        <input
          type="radio"
          id={id}
          name={props.name}
          className={classes.radio}
          checked={props.checked}
          disabled={props.disabled}
          aria-describedby={`${id}-about`}
          aria-invalid={props.invalid || undefined}
          onChange={props.onChoose}
        />
      </label>
      <div id={`${id}-about`} className={classes.about}>
        {option.description && <div className={classes.description}>{option.description}</div>}
        {points && <Points option={option} />}
        {props.extra && <div className={classes.extra}>{props.extra}</div>}
      </div>
    </div>
  );
}

/** What a choice covers and what it doesn't, in words; the marks before them are decoration. */
function Points({ option }: { option: Option }) {
  return (
    <ul className={classes.points}>
      {option.includes?.map((text) => (
        <li key={text}>
          <Icon name="check" size={18} strokeWidth={2.25} />
          <span>{text}</span>
        </li>
      ))}
      {option.excludes?.map((text) => (
        <li key={text} data-excluded>
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
