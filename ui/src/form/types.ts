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
  /**
   * The identity of each instance, by dataset; see `rowsOf`. The identities are neither sent nor
   * stored.
   */
  rows?: Record<string, string[]>;
  /** The look-ups of registrations, by the path of the registration. */
  lookups?: Record<string, VehicleLookUp>;
  /** The position of the visitor's home, from the look-up of the address. */
  home?: Home;
}

/** The position of a postcode, in degrees. */
export interface Home {
  /** The path of the postcode. */
  path: string;
  /** The postcode of the position. Another postcode has another position. */
  postcode: string;
  longitude: number;
  latitude: number;
}

/** A registration's look-up, and the visitor's answer to it. */
export interface VehicleLookUp {
  /** The registration, in upper case, without spaces and hyphens. */
  plate: string;
  /**
   * Null if nothing was found, if the look-up failed, or if the visitor typed the details during
   * the look-up.
   */
  vehicle: KnownVehicle | null;
  /** Whether the look-up does not know the registration. */
  unknown?: true;
  /** Whether the vehicle is the visitor's. */
  answer?: 'yes' | 'no';
  /** Whether the visitor types the date instead of confirming the plate's period. */
  isDateTyped?: true;
}

/** Error texts by path: a field's name, or `dataset.index.field`. The first text is shown. */
export type Errors = Record<string, string[]>;
