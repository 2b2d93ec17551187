import type { QuoteRead } from '../../api/types';
import type { Form } from '../types';

/** Returns the product's form. Its fields are locked and display-only as in a saved quote. */
export function applyLocks(form: Form, quote: Pick<QuoteRead, 'form'>): Form {
  return {
    ...form,
    datasets: form.datasets.map((dataset) => {
      const quoteDataset = quote.form.datasets.find(
        (each) => each.identifier === dataset.identifier,
      );
      if (!quoteDataset) return dataset;
      return {
        ...dataset,
        fields: dataset.fields.map((field) => {
          const quoteField = quoteDataset.fields.find((each) => each.name === field.name);
          return quoteField
            ? { ...field, locked: quoteField.locked, display_only: quoteField.display_only }
            : field;
        }),
      };
    }),
  };
}
