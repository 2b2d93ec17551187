import type { KnownVehicle, Multi, Values } from '../api/types';

export type {
  Condition,
  Dataset,
  Field,
  Form,
  FoundAddress,
  KnownVehicle,
  Multi,
  Option,
  PlateAge,
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
  /** The identity of each instance, by dataset; see `rowsOf`. It is neither sent nor kept. */
  rows?: Record<string, string[]>;
  /** What look-ups have found, by the path of the answer that was looked up. */
  lookups?: Record<string, VehicleLookUp>;
  /** Where the visitor lives, as the look-up of their address has told it. */
  home?: Home;
}

/** The place of a postcode, in degrees. */
export interface Home {
  /** The path of the postcode. */
  path: string;
  /** The postcode whose place it is; that of another one is elsewhere. */
  postcode: string;
  longitude: number;
  latitude: number;
}

/** What a look-up found for a registration, and what the visitor said of it. */
export interface VehicleLookUp {
  /** The registration that was looked up, without spaces. */
  plate: string;
  /** Null where nothing was found, or nobody answered in time. */
  vehicle: KnownVehicle | null;
  /** Whether nobody knows such a vehicle. */
  unknown?: true;
  /** Whether it is the visitor's vehicle. */
  answer?: 'yes' | 'no';
  /** Whether the visitor types the date that the plate could tell. */
  isDateTyped?: true;
}

/** Error texts by path: a field's name, or `dataset.index.field`. The first text is shown. */
export type Errors = Record<string, string[]>;
