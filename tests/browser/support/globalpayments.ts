import { testWith } from './framedGateway.ts';

/** Settings of a shop with Global Payments, played by a double at this port. */
function globalPaymentsSettings(port: number): string {
  return `[payments]
gateways = ["globalpayments"]
[payments.globalpayments]
test = true
api_url = "http://127.0.0.1:${port}/ucp"
app_id = "app-double"
app_key = "app-key-for-tests"
account_name = "transaction_processing_hpp"
`;
}

/**
 * A shop with Global Payments, played by the double (tests/globalpayments). It sends no message, and its page
 * never comes back: our page asks.
 */
export const test = testWith('globalpayments-double', globalPaymentsSettings, ['--silent']);
