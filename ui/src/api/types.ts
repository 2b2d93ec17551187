import type { components } from './schema.gen';

// The website's names for the API's types.

export type Wire = components['schemas'];

/** A request may leave a value out or send null. The website leaves it out. */
type WithoutNull<T> = { [K in keyof T]: NonNullable<T[K]> };

export type Scalar = Wire['Scalar'];
export type Values = Wire['Values'];
export type Multi = Wire['Multi'];

export type Condition = Wire['Condition'];
export type Option = Wire['FieldOption'];
export type DateLimit = Wire['DateLimit'];
export type Validation = Wire['Validation'];
export type FieldKind = Wire['FieldKind'];
export type Field = Wire['Field'];
export type Dataset = Wire['Dataset'];
export type Form = Wire['Form'];
export type SummaryRule = Wire['SummaryRule'];
export type SummaryLine = Wire['SummaryText'];
export type ProductInfo = Wire['ProductInfo'];

/** The assumptions of the cover, which a customer reads before the purchase. */
export type Assumptions = Wire['Assumptions'];
/** The look-up's data about a vehicle. */
export type KnownVehicle = Wire['VehicleFound'];
/** An address of a look-up. */
export type FoundAddress = Wire['AddressFound'];
/** The period of a vehicle's first registration, by its plate. */
export type PlateAge = Wire['PlatePeriod'];
/** A look-up in a save. */
export type SavedLookUp = Wire['SavedLookup'];

/** The coverage map of a product, and one of its levels. */
export type CoverageMap = Wire['CoverageMap'];
export type CoverageLevel = Wire['CoverageLevel'];
/** The registration that the first page asks for, with the texts around the question. */
export type StartField = Wire['StartField'];
/** Something that the cover excludes. */
export type CoverExclusion = Wire['CoverExclusion'];
/**
 * Something that the cover of a policy excludes, with the customer's answer to whether it matters.
 */
export type OpenExclusion = Wire['OpenExclusion'];
/** The product's help text for a claim. */
export type CoverHelp = Wire['Help'];
/**
 * A limit of an affiliate's list: the number of instances of `dataset`, plus `more`.
 */
export type AffiliateEntries = Wire['AffiliateEntries'];

export type Product = Wire['ProductRead'];

export type Step = Wire['Step'];
export type StepGroup = Wire['StepGroup'];
export type StepperData = Wire['StepperData'];

/** A product's answers in a request: all answers, or those that the call needs. */
export type SerializedProduct = Required<WithoutNull<Wire['SerializedProduct']>>;

export type SourceTracking = WithoutNull<Wire['Tracking']>;
export type PriceLine = Wire['PriceLine'];
export type PriceFigures = Wire['Figures'];
export type QuotePrice = Wire['QuotePrice'];

export type Aggregator = Wire['AggregatorInfo'];
export type QuoteInfo = Wire['QuoteInfo'];
/** Whether a quote or policy is in an account, as far as the reader may know. */
export type Ownership = Wire['Ownership'];
export type QuoteRead = Wire['QuoteRead'];

export type QuoteCreated = Wire['QuoteCreated'];
export type QuoteUpdated = Wire['QuoteSaved'];
export type QuoteAccepted = Wire['AcceptedQuote'];
/** The plan by which a price can be paid monthly. */
export type PlanOffer = Wire['PlanOffer'];

export type PaymentStarted = Wire['StartedPayment'];
export type Payment = Wire['PaymentInfo'];

/** The person logged in, or the policyholder of a token's quote. */
export type Profile = Wire['ProfileRead'];
/**
 * The fields to change. The server keeps fields that are left out. An empty text clears an optional
 * field.
 */
export type ProfileChange = WithoutNull<Wire['ProfileEdit']>;
export type PasswordChange = Required<Wire['ChangePassword']>;
export type Retrieval = Required<Wire['RetrievePassword']>;
/** The user of a mailed link to reset a password. */
export type ResetProfile = Wire['ResetProfile'];
export type Site = Wire['Site'];
export type Choice = Wire['Choice'];
export type PasswordRule = Wire['PasswordRule'];

/** A row of the policy, quote and renewal lists. */
export type ProductHelp = Wire['ProductHelp'];
export type ListItem = Wire['ListItem'];
/** One page of a list. Pages count from 1. */
export type ListPage = Wire['ListPage'];
/** A product that is on sale. */
export type EnabledProduct = Wire['EnabledProduct'];
export type ListedProduct = Wire['ProductListItem'];

export type StatusId = Wire['StatusId'];

/** The statuses that the website's code names. */
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
} as const satisfies Record<string, StatusId>;

/** The statuses of a quote with missing answers. The website opens such a quote in its form. */
export const UNFINISHED: readonly StatusId[] = [STATUS.draft, STATUS.partial];
