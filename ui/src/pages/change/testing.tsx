import { Shell } from '../../features/account/testing';
import { UUID } from '../../testing/data';
import { visit } from '../../testing/server';
import QuoteEdit from '../quote/QuoteEdit';

/** Shows the page that changes the one policy, with the pages that it links to. */
export const openChange = (search = '') =>
  visit(
    {
      '/quote/edit/:id': (
        <Shell>
          <QuoteEdit />
        </Shell>
      ),
      '/policy/view/:id': <p>Policy page</p>,
      '/payment/:id': <p>Payment page</p>,
    },
    `/quote/edit/${UUID}${search}`,
  );
