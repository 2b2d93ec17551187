import type { components } from './schema.gen';

// The website's names for what the server's document describes.

type Wire = components['schemas'];

/** A request may leave a value out or send null; the website only leaves it out. */
type Sent<T> = { [K in keyof T]: NonNullable<T[K]> };

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

/** What must be true of what is covered, in the product's own words. */
export type Assumptions = Wire['Assumptions'];
/** What a look-up knows of a vehicle. */
export type KnownVehicle = Wire['VehicleFound'];
/** An address that a look-up has found. */
export type FoundAddress = Wire['AddressFound'];
/** What a registration mark tells of the day of first registration. */
export type PlateAge = Wire['PlatePeriod'];
/** What a save says of a look-up. */
export type SavedLookUp = Wire['SavedLookup'];

/** How far a product's choices reach, and what one of them does. */
export type Reach = Wire['Reach'];
export type ReachLevel = Wire['ReachLevel'];
/** The one answer that leads into the form. */
export type WayIn = Wire['WayIn'];
/** Something that the cover would not do. */
export type Gap = Wire['Gap'];
/** The same of a policy, with what its customer said of it. */
export type OpenGap = Wire['OpenGap'];
/** What to do when the cover is needed, in the product's own words. */
export type CoverHelp = Wire['Help'];
/** What an affiliate's list has an entry for. */
export type AffiliateEntries = Wire['AffiliateEntries'];

export type Product = Wire['ProductRead'];

export type Step = Wire['Step'];
export type StepGroup = Wire['StepGroup'];
export type StepperData = Wire['StepperData'];

/** A product's answers as the website sends them: all of them, or those a call is about. */
export type SerializedProduct = Required<Sent<Wire['SerializedProduct']>>;

export type SourceTracking = Sent<Wire['Tracking']>;
export type PriceLine = Wire['PriceLine'];
export type PriceFigures = Wire['Figures'];
export type QuotePrice = Wire['QuotePrice'];

export type Aggregator = Wire['AggregatorInfo'];
export type QuoteInfo = Wire['QuoteInfo'];
/** In whose account a quote or policy is, as its reader may know. */
export type AccountStanding = Wire['AccountStanding'];
export type QuoteRead = Wire['QuoteRead'];

export type QuoteCreated = Wire['QuoteCreated'];
export type QuoteUpdated = Wire['QuoteSaved'];
export type QuoteAccepted = Wire['Accepted'];

export type PaymentStarted = Wire['Initiated'];
export type Payment = Wire['PaymentInfo'];

/** The person logged in, or for a quote's token the policyholder typed into it. */
export type Profile = Wire['ProfileRead'];
/** The server keeps what is left out. An empty text clears. */
export type ProfileChange = Sent<Wire['ProfileEdit']>;
export type PasswordChange = Required<Wire['ChangePassword']>;
export type Retrieval = Required<Wire['RetrievePassword']>;
/** Whose password a mailed link resets. */
export type ResetProfile = Wire['ResetProfile'];
export type Site = Wire['Site'];
export type Choice = Wire['Choice'];
export type PasswordRule = Wire['PasswordRule'];

/** A row of the policy, quote and renewal lists. */
export type ListItem = Wire['ListItem'];
/** One page of a list; pages count from 1 here. */
export type ListPage = Wire['ListPage'];
/** A product that is on sale. */
export type EnabledProduct = Wire['EnabledProduct'];
export type ListedProduct = Wire['ProductListItem'];

export type StatusId = Wire['StatusId'];

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
} as const satisfies Record<string, StatusId>;

/** Statuses in which answers are missing: such a quote is opened to be filled in. */
export const UNFINISHED: readonly StatusId[] = [STATUS.draft, STATUS.partial];
