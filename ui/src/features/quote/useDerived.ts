import { useMemo } from 'react';
import useSWR from 'swr';
import { api } from '../../api/client';
import type { Body } from '../../api/operations';
import { serialisePriced } from '../../form/serialize';
import type { Form, ProductInfo, Values } from '../../form/types';
import { faultyPaths } from '../../form/validate';
import type { FormState } from '../../form/visibility';
import { useSettledProduct } from './usePrice';

const NOTHING: Values = {};
const PATH = '/api/v1/form/{id}';

async function readDerived([path, product, answers]: readonly [typeof PATH, string, string]) {
  const body = JSON.parse(answers) as Body<'post', typeof PATH>;
  const answer = await api.post(path, { path: { id: product }, body });
  const derived: Values = {};
  for (const dataset of answer.form.datasets) {
    for (const field of dataset.fields) {
      if (!dataset.multi && field.display_only && field.visible) derived[field.name] = field.value;
    }
  }
  return derived;
}

/** Answers of display-only fields, which the server works out from the other answers. */
export function useDerived(form: Form, info: ProductInfo, state: FormState): Values {
  const wanted = form.datasets.some((dataset) =>
    dataset.fields.some(
      (field) =>
        field.display_only && state.datasets[dataset.identifier]?.fields[field.name]?.visible,
    ),
  );
  const product = useMemo(
    () => (wanted ? serialisePriced(form, state, info.watch, faultyPaths(form, state)) : null),
    [wanted, form, info, state],
  );
  const settled = useSettledProduct(product);
  const { data } = useSWR(
    product && settled ? ([PATH, form.product_identifier, JSON.stringify(settled)] as const) : null,
    readDerived,
    {
      keepPreviousData: true,
      revalidateOnFocus: false,
      revalidateIfStale: false,
      shouldRetryOnError: false,
    },
  );
  return product ? (data ?? NOTHING) : NOTHING;
}
