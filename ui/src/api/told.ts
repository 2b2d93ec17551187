import type {
  Activity,
  Adjustment,
  PolicyDocument,
  PolicyDocuments,
  PolicyRead,
  Renewal,
} from './life';
import type {
  Form,
  ListPage,
  Payment,
  PaymentStarted,
  PriceFigures,
  Product,
  Profile,
  QuoteRead,
  ResetProfile,
  Site,
} from './types';

/** Answers that the website knows more exactly than the document can say, by their calls. */
export interface Told {
  'get /api/v1/site': Site;
  'get /api/v1/profile': Profile;
  'put /api/v1/profile': Profile;
  'get /api/v1/password/{aid}/info': ResetProfile;
  'get /api/v2/openapi/product/{id}': Product;
  'post /api/v1/form/{id}': { form: Form };
  'post /api/v1/price': { figures: PriceFigures };
  'get /api/v2/public/quote/read/{id}': QuoteRead;
  'post /api/v2/aggregator': QuoteRead;
  'get /api/v2/quote/documents/{id}': PolicyDocument[];
  'get /api/v2/policy/read/{id}': PolicyRead;
  'get /api/v2/policy/list': ListPage;
  'get /api/v1/policy/{id}/documents': PolicyDocuments;
  'get /api/v1/policy/{id}/mta': Adjustment[];
  'put /api/v1/policy/{id}/mta': Adjustment;
  'put /api/v1/policy/{id}/mta/confirm': Adjustment;
  'put /api/v1/policy/{id}/mta/increase': PaymentStarted;
  'post /api/v1/activity/create': Activity;
  'get /api/v1/activities': Activity[];
  'get /api/v1/renewal/{id}': Renewal;
  'post /api/v1/gateway/{provider}/initiate': PaymentStarted;
  'get /api/v1/payment/{id}': Payment;
}
