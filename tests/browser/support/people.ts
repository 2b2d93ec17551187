/** A customer. */
export const ANN = {
  title: 'Mrs',
  first: 'Ann',
  last: "O'Neill-Łukasiewicz",
  born: '27/03/1984',
  email: 'ann.oneill@example.org',
  telephone: '020 7946 0958',
  address: '12 Orchard Lane\nBath',
  postcode: 'BA1 2QP',
} as const;

export interface Vehicle {
  type: 'Car' | 'Van' | 'Bike';
  registration: string;
  registered: string;
}

export const CAR: Vehicle = { type: 'Car', registration: 'AB21 CDE', registered: '14/04/2021' };
export const VAN: Vehicle = { type: 'Van', registration: 'CD68 EFG', registered: '02/10/2018' };
export const BIKE: Vehicle = { type: 'Bike', registration: 'LM22 XYZ', registered: '09/05/2022' };

/** The test cards of the sandbox gateway. */
export const CARDS = {
  paid: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  /** Pays once. Each later charge is declined, and may be tried again. */
  declinedLater: '4000 0000 0000 0341',
  challenge: '4000 0027 6000 3184',
  /** Paid, but the callback comes five seconds later. */
  late: '4000 0000 0000 0077',
  /** Paid, but a refund takes half a minute. */
  slowRefund: '4000 0000 0000 7726',
  /** Paid, but refunds fail. */
  refusedRefund: '4000 0000 0000 5126',
} as const;
