import type { Multi, Values } from '../api/types';

export type {
  Condition,
  Dataset,
  Field,
  Form,
  Multi,
  Option,
  Product,
  ProductInfo,
  Scalar,
  SerializedProduct,
  Step,
  StepGroup,
  StepperData,
  SummaryLine,
  SummaryRule,
  Values,
} from '../api/types';

/** What a visitor has answered: top-level values, and the instances of each repeatable dataset. */
export interface Answers {
  values: Values;
  multi: Multi;
}

/** Error texts by path: a field's name, or `dataset.index.field`. The first text is shown. */
export type Errors = Record<string, string[]>;
