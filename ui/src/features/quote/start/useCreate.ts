import { useRef } from 'react';
import { useSWRConfig } from 'swr';
import { quoteKey, readQuote, refreshProfile } from '../../../api/hooks';
import {
  type Product,
  type QuoteCreated,
  type SavedLookUp,
  STATUS,
  type StepperData,
} from '../../../api/types';
import { removeDraft, writeLastQuote } from '../../../form/answers/draft';
import { savedWith } from '../../../form/lookups/savedLookUps';
import { stepsOf } from '../../../form/steps/steps';
import type { SerializedProduct } from '../../../form/types';
import { showSnackbarAhead } from '../../../lib/messages/snackbar';
import { useGo } from '../../../lib/navigation/navigation';
import { paths } from '../../../lib/routes/paths';
import { saveToken } from '../../../lib/storage/tokens';
import { CREATED, type CreateKey, createBody, createQuote, keyFor } from '../saved/saving';
import { readSource } from './tracking';

/** Returns the functions that save a new quote and open the saved quote at its own address. */
export function useCreate(product: Product, stepper: StepperData) {
  const go = useGo();
  const { mutate } = useSWRConfig();
  const key = useRef<CreateKey | null>(null);

  const create = async (
    serialised: SerializedProduct,
    lookups: SavedLookUp[],
  ): Promise<QuoteCreated> => {
    const scope = product.info.product_identifier;
    const created = await savedWith(lookups, (each) => {
      const body = createBody(serialised, readSource(), product.info.affiliates, each);
      key.current = keyFor(body, key.current);
      return createQuote(scope, body, key.current.key);
    });
    saveToken(created.uuid, created.consumer_token);
    writeLastQuote(scope, { uuid: created.uuid, custom_id: created.custom_id });
    removeDraft(scope);
    if (created.status_id === STATUS.quote) showSnackbarAhead(CREATED);
    return created;
  };

  /** Opens a new saved quote at its last step. */
  const showCreated = async (
    created: QuoteCreated,
    serialised: SerializedProduct,
  ): Promise<void> => {
    // Reads the quote before the quote's page opens, so that the page shows no placeholder. If this
    // read fails, the page reads the quote again.
    await Promise.allSettled([
      mutate(quoteKey(created.uuid), readQuote(created.uuid), { revalidate: false }),
      refreshProfile(),
    ]);
    const last = stepsOf(stepper, serialised.values).at(-1);
    await go(paths.quoteEdit(created.uuid, last ? { step: String(last.number) } : {}));
  };

  return { create, showCreated };
}
