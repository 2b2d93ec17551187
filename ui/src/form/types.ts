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

/** The visitor's answers: top-level values, and the instances of each repeatable dataset. */
export interface Answers {
  values: Values;
  multi: Multi;
  /** The identity of each instance, by dataset; see `rowsOf`. It is neither sent nor stored. */
  rows?: Record<string, string[]>;
  /** Look-up results, by the path of the answer. */
  lookups?: Record<string, VehicleLookUp>;
  /** The position of the visitor's home, from the look-up of the address. */
  home?: Home;
}

/** The position of a postcode, in degrees. */
export interface Home {
  /** The path of the postcode. */
  path: string;
  /** The postcode of the position. Another postcode has another one. */
  postcode: string;
  longitude: number;
  latitude: number;
}

/** A registration's look-up, and the visitor's confirmation of it. */
export interface VehicleLookUp {
  /** The registration, without spaces. */
  plate: string;
  /** Null if nothing was found, or the service did not respond in time. */
  vehicle: KnownVehicle | null;
  /** Whether the registration is unknown. */
  unknown?: true;
  /** Whether it is the visitor's vehicle. */
  answer?: 'yes' | 'no';
  /** Whether the visitor types the date instead of confirming the plate's period. */
  isDateTyped?: true;
}

/** Error texts by path: a field's name, or `dataset.index.field`. The first text is shown. */
export type Errors = Record<string, string[]>;
