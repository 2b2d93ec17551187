import { type ReactNode, useCallback } from 'react';
import { writeAnswer } from '../../../form/answers/answers';
import { evaluate } from '../../../form/conditions/visibility';
import type { FormApi } from '../../../form/state/FormContext';
import type { Field, Form, Option, ProductInfo } from '../../../form/types';
import { offersFor } from '../start/offers';
import type { Source } from '../start/tracking';
import { ExtraPrice, OfferPrice, OptionPrice } from './OptionPrice';
import type { PremiumState } from './PremiumFigure';
import { comparedField, isComparable } from './pricing';
import { pricedProduct } from './usePremium';

/**
 * Returns a function that renders the price of a choice. A card of the compared field shows the
 * price, and the difference unless `hideDifference` is true. Other choices that affect the price
 * show only the difference.
 */
export function useOptionExtra(
  form: Form,
  info: ProductInfo,
  api: Pick<FormApi, 'answers' | 'state'>,
  price: Pick<PremiumState, 'premium' | 'pending'>,
  source: Source,
) {
  const { answers, state } = api;
  const { premium: current, pending } = price;
  return useCallback(
    (field: Field, option: Option, { hideDifference = false } = {}): ReactNode => {
      const dataset = form.datasets.find((each) => each.fields.includes(field));
      if (!field.rateable || !dataset || dataset.multi) return null;
      const withValue = (value: string | number | boolean) => {
        const other = writeAnswer(answers, field.name, value);
        return pricedProduct(form, info, other, evaluate(form, other));
      };
      if (field.kind === 'cards') {
        if (comparedField(form, state)?.name !== field.name || !isComparable(form, state))
          return null;
        return (
          <OptionPrice
            product={withValue(option.value)}
            source={source}
            chosen={state.values[field.name] === option.value}
            hideDifference={hideDifference}
            current={current}
            pending={pending}
          />
        );
      }
      // Without a price the difference is unknown.
      if (!current) return null;
      const value = field.kind === 'checkbox' ? true : option.value;
      const chosen = state.values[field.name] === value;
      const offer = offersFor(info, source).find(({ code }) => code === field.name);
      if (offer && field.kind === 'checkbox') return <OfferPrice offer={offer} info={info} />;
      // A chosen checkbox shows what it adds. Any other chosen option is already part of the price.
      if (chosen && field.kind !== 'checkbox') return null;
      return (
        <ExtraPrice
          product={withValue(chosen ? false : value)}
          source={source}
          chosen={chosen}
          current={current}
          pending={pending}
        />
      );
    },
    [form, info, answers, state, current, pending, source],
  );
}
