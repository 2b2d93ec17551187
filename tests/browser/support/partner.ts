import { createHash } from 'node:crypto';
import { type APIRequestContext, expect } from '@playwright/test';
import { wire } from './dates.ts';
import { ANN } from './people.ts';

const KEY = 'the-key-of-compare-example';

/** A shop's settings with a partner that may send risks. */
export const PARTNER = `
[[partners]]
id = 7
name = "Compare Example"
identifier = "compare-example"
logo_url = "/favicon.svg"
key_sha256 = "${createHash('sha256').update(KEY).digest('hex')}"
services = ["breakdown-uk"]
`;

export interface Sent {
  /** The address for the partner's customer. */
  address: string;
  /** The partner's price: "£64.20". */
  price: string;
  status: number;
}

let riskCount = 0;

/** Sends a partner's risk: Ann's car, with other answers if given. */
export async function sendRisk(
  request: APIRequestContext,
  values: Record<string, string | undefined> = {},
): Promise<Sent> {
  riskCount += 1;
  const answer = await request.post('/api/v2/aggregator', {
    headers: { 'X-Partner-Key': KEY },
    data: {
      reference_uuid: `risk-${process.pid}-${riskCount}`,
      service_uuid: 'breakdown-uk',
      additional: { rank: 3 },
      product: {
        product_identifier: 'breakdown',
        values: {
          cover_type: 2,
          cover_level: 3,
          excess: 2,
          start_date: wire(3),
          title: 2,
          first_name: ANN.first,
          last_name: ANN.last,
          date_of_birth: '27.03.1984',
          email_primary: ANN.email,
          tel_primary: ANN.telephone,
          address_primary: ANN.address,
          postcode_primary: ANN.postcode,
          ...values,
        },
        multi: {
          vehicles: [
            {
              vehicle_type: 1,
              vehicle_registration: 'AB21 CDE',
              vehicle_registration_date: '14.04.2021',
            },
          ],
        },
      },
    },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { data } = await answer.json();
  return {
    address: data.click_through,
    price: `£${data.info.price.amount_total.toFixed(2)}`,
    status: data.info.status_id,
  };
}
