import { useMemo } from 'react';
import useSWR from 'swr';
import { api } from '../../../api/client';
import type { Body } from '../../../api/operations';
import { readAnswer } from '../../../form/answers/answers';
import { serialisePriced } from '../../../form/answers/serialize';
import type { FormState } from '../../../form/conditions/visibility';
import { expiredDates } from '../../../form/start-date/startDate';
import type { Form, ProductInfo, SerializedProduct, Values } from '../../../form/types';
import { faultyPaths } from '../../../form/validation/validate';
import { todayInLondon } from '../../../lib/dates/dates';
import { useSettledProduct } from '../price/usePrice';

/** The server's results for the present answers. */
interface Derived {
  /** Answers of display-only fields. */
  derived: Values;
  /** The underwriting refusals, by the path of the deciding answer. */
  decisions: Record<string, string>;
}

interface CheckResult extends Derived {
  /** The answers for which the server calculated the results. */
  payload: SerializedProduct;
}

interface DerivedState extends Derived {
  /** Whether the underwriting result for the current answers is still missing. */
  isDeciding: boolean;
}

const NO_ANSWERS: DerivedState = { derived: {}, decisions: {}, isDeciding: false };
const PATH = '/api/v1/form/{id}/check';

async function readDerived([path, product, answers]: readonly [
  typeof PATH,
  string,
  string,
]): Promise<CheckResult> {
  const payload = JSON.parse(answers) as SerializedProduct;
  const body: Body<'post', typeof PATH> = payload;
  const { derived, decisions } = await api.post(path, { path: { id: product }, body });
  const reasons = decisions.map(({ path, reason }) => [path, reason]);
  return { derived, decisions: Object.fromEntries(reasons), payload: payload };
}

/**
 * Reads derived answers and refusals. A renewal has other underwriting rules, so it has no refusals
 * here. With `allowPastStart` a past start day is sent and stays, as in a renewal or a valid offer.
 */
export function useDerived(
  form: Form,
  info: ProductInfo,
  state: FormState,
  isRenewal: boolean,
  allowPastStart: boolean,
): DerivedState {
  const isUnderwritten = info.decides.length > 0 && !isRenewal;
  const isNeeded =
    isUnderwritten ||
    form.datasets.some((dataset) =>
      dataset.fields.some(
        (field) =>
          field.display_only && state.datasets[dataset.identifier]?.fields[field.name]?.visible,
      ),
    );
  const product = useMemo(() => {
    if (!isNeeded) return null;
    const fields = [...info.watch, ...info.decides];
    const faulty = faultyPaths(form, state);
    if (!allowPastStart) return serialisePriced(form, state, fields, faulty);
    for (const { path } of expiredDates(form, state, state, todayInLondon())) faulty.delete(path);
    return { ...serialisePriced(form, state, fields, faulty), keeps_term: true };
  }, [isNeeded, allowPastStart, form, info, state]);
  // While the form asks for another start day, the derived answers are unknown.
  const startAsked = useMemo(
    () => !allowPastStart && expiredDates(form, state, state, todayInLondon()).length > 0,
    [allowPastStart, form, state],
  );
  const settledProduct = useSettledProduct(product);
  const { data, error } = useSWR(
    product && settledProduct
      ? ([PATH, form.product_identifier, JSON.stringify(settledProduct)] as const)
      : null,
    readDerived,
    {
      keepPreviousData: true,
      revalidateOnFocus: false,
      revalidateIfStale: false,
      shouldRetryOnError: false,
    },
  );
  // After a failed read there is no decision. The save then decides.
  const requestText = product && JSON.stringify(product);
  const isDeciding =
    isUnderwritten &&
    requestText !== null &&
    requestText !== JSON.stringify(data?.payload) &&
    !(error && requestText === JSON.stringify(settledProduct));
  return useMemo(() => {
    if (!product || !data) return { ...NO_ANSWERS, isDeciding };
    // A decision about an answer that has changed is dropped.
    const decided = Object.entries(isUnderwritten ? data.decisions : {}).filter(
      ([path]) => readAnswer(product, path) === readAnswer(data.payload, path),
    );
    const derived = startAsked ? NO_ANSWERS.derived : data.derived;
    return { derived, decisions: Object.fromEntries(decided), isDeciding };
  }, [product, data, isUnderwritten, startAsked, isDeciding]);
}
