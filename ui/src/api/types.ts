import type { components } from './schema.gen';

type Wire = components['schemas'];

/** Only keys the generated shape has may be told more exactly than the document can. */
export type Narrow<T, N extends Partial<Record<keyof T, unknown>>> = Omit<T, keyof N> & N;

/** Answers about quotes and people send null where there is nothing. */
export type Nulled<T> = {
  [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K];
};

export type Scalar = number | string | boolean | null;
export type Values = Record<string, Scalar>;
export type Multi = Record<string, Values[]>;

export type Condition = Narrow<
  Wire['Condition'],
  { is?: Scalar; in?: Scalar[]; all?: Condition[]; any?: Condition[]; not?: Condition }
>;

export type Option = Narrow<
  Wire['FieldOption'],
  { value: number | string; visible_when?: Condition }
>;

export type DateLimit = Wire['DateLimit'];
export type Validation = Wire['Validation'];

export type FieldKind =
  | 'cards'
  | 'radio'
  | 'select'
  | 'yes_no'
  | 'checkbox'
  | 'text'
  | 'email'
  | 'phone'
  | 'postcode'
  | 'registration'
  | 'date'
  | 'number'
  | 'address';

export type Field = Narrow<
  Wire['Field'],
  {
    kind: FieldKind;
    value: Scalar;
    default: Scalar;
    options: Option[];
    visible_when?: Condition;
    width?: 'full' | 'half' | 'third';
  }
>;

type InstanceField = Narrow<Wire['FieldState'], { value: Scalar }>;

export type Dataset = Narrow<
  Wire['Dataset'],
  { visible_when?: Condition; fields: Field[]; instances?: InstanceField[][] }
>;

export type Form = Narrow<Wire['Form'], { datasets: Dataset[] }>;
export type SummaryRule = Narrow<Wire['SummaryRule'], { when?: Condition }>;
export type SummaryLine = Wire['SummaryText'];

export type ProductInfo = Narrow<
  Wire['ProductInfo'],
  {
    stepper: 'form' | 'generic';
    summary: SummaryRule[];
    needs: { text: string; when?: Condition }[];
    presets: Record<string, Values>;
    assumptions?: Assumptions | null;
    help?: CoverHelp | null;
  }
>;

/** What must be true of what is covered, in the product's own words. */
export type Assumptions = Wire['Assumptions'];
/** What to do when the cover is needed, in the product's own words. */
export type CoverHelp = Wire['Help'];
/** What an affiliate's list has an entry for. */
export type AffiliateEntries = Wire['AffiliateEntries'];

export type Product = Narrow<Wire['ProductRead'], { form: Form; info: ProductInfo }>;

export type Step = Wire['Step'];
export type StepGroup = Wire['StepGroup'];
export type StepperData = Wire['StepperData'];

export type SerializedProduct = Narrow<
  Wire['SerializedProduct'],
  { product_identifier: string; values: Values; multi: Multi }
>;

export type SourceTracking = Wire['Tracking'];
export type PriceLine = Wire['PriceLine'];

type Period = 'year' | 'trip';

export type PriceFigures = Narrow<Wire['Figures'], { per: Period }>;
export type QuotePrice = Narrow<Wire['QuotePrice'], { per: Period }>;

export type Aggregator = Wire['AggregatorInfo'];
type QuoteDates = Nulled<Wire['QuoteDates']>;

export type QuoteInfo = Narrow<
  Nulled<Wire['QuoteInfo']>,
  { dates: QuoteDates; price: QuotePrice | null }
>;

type QuoteFormField = Narrow<Wire['AnsweredField'], { value: Scalar }>;
type QuoteDataset = Narrow<Wire['AnsweredDataset'], { fields: QuoteFormField[] }>;

export type QuoteRead = Narrow<
  Wire['QuoteRead'],
  {
    info: QuoteInfo;
    form: Narrow<Wire['AnsweredForm'], { datasets: QuoteDataset[] }>;
    multi: Multi;
    values: Values;
    versions: Nulled<Wire['VersionInfo']>[];
  }
>;

export type QuoteCreated = Wire['QuoteCreated'];
export type QuoteUpdated = Wire['QuoteSaved'];
export type QuoteResumed = Wire['Resumed'];
export type QuoteAccepted = Wire['Accepted'];

export type PaymentStarted = Narrow<
  Wire['Initiated'],
  { kind: 'iframe' | 'redirect'; method: 'GET' | 'POST' }
>;

type PaymentStatus = 'pending' | 'processing' | 'paid' | 'failed' | 'refunded';
export type Payment = Narrow<Nulled<Wire['PaymentInfo']>, { status: PaymentStatus }>;

/** The person logged in, or for a quote's token the policyholder typed into it. */
export type Profile = Nulled<Wire['ProfileRead']>;
/** What is left out stays as it is; an empty text clears. */
export type ProfileChange = Wire['ProfileEdit'];
export type PasswordChange = Required<Wire['ChangePassword']>;
export type Retrieval = Required<Wire['RetrievePassword']>;
/** Whose password a mailed link resets. */
export type ResetProfile = Nulled<Wire['ResetProfile']>;
export type Site = Nulled<Wire['Site']>;
export type Choice = Wire['Choice'];
export type PasswordRule = Wire['PasswordRule'];

/** A row of the policy, quote and renewal lists. */
export type ListItem = Nulled<Wire['ListItem']>;
/** One page of a list; pages count from 1 here. */
export type ListPage = Narrow<Wire['ListPage'], { data: ListItem[] }>;
/** A product that is on sale. */
export type EnabledProduct = Wire['EnabledProduct'];
export type ListedProduct = Wire['ProductListItem'];
export type ListedStatus = Wire['StatusTitle'];

/** Statuses the website decides by. */
export const STATUS = {
  quote: 1,
  draft: 2,
  live: 5,
  refer: 7,
  cancelled: 8,
  notTakenUp: 14,
  expired: 15,
  renewed: 16,
  partial: 30,
  declined: 31,
  lapsed: 32,
} as const;

/** Statuses in which answers are missing: such a quote is opened to be filled in. */
export const UNFINISHED: readonly number[] = [STATUS.draft, STATUS.partial];
