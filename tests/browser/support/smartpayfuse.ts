import { testWith } from './framedGateway.ts';

/** Settings of a shop with Smartpay Fuse, played by a double at this port. */
function fuseSettings(port: number): string {
  return `[payments]
gateways = ["smartpayfuse"]
[payments.smartpayfuse]
test = true
profile_id = "0FFEAFFB-8171-4F34-A22D-1CD38A28A384"
access_key = "00112233445566778899aabbccddeeff"
secret_key = "secret-of-the-page-4242"
rest_merchant_id = "double_merchant"
rest_key = "01234567-0123-0123-0123-012345678912"
rest_secret = "c2VjcmV0LW9mLXRoZS1yZXN0LWtleS00MjQy"
page_url = "http://127.0.0.1:${port}"
api_url = "http://127.0.0.1:${port}"
`;
}

/**
 * A shop with Smartpay Fuse, played by the double (tests/smartpayfuse). Its server posts nothing: the
 * receipt of the browser alone sells.
 */
export const test = testWith('smartpayfuse-double', fuseSettings, ['--never']);
