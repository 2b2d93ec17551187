import { test as base } from '../support/database.ts';
import { CAR } from '../support/people.ts';
import { DatabaseProxy } from '../support/databaseProxy.ts';
import { expect } from '../support/test.ts';

/** A shop whose database connection can be cut and restored. */
const test = base.extend<object, { databaseProxy: DatabaseProxy }>({
  databaseProxy: [
    async ({ database }, use) => {
      const databaseProxy = await DatabaseProxy.to(database.url);
      await use(databaseProxy);
      databaseProxy.close();
    },
    { scope: 'worker' },
  ],

  settings: [
    async ({ databaseProxy, documents }, use) =>
      use(`[store]
url = "${databaseProxy.url}"
[documents]
url = "file://${documents}"
`),
    { scope: 'worker' },
  ],
});

test.beforeEach(({ database }) => {
  test.skip(database.url === '', database.reason);
});

test('while the database is away the website says so and keeps what was typed, and goes on with it afterwards', async ({
  page,
  form,
  databaseProxy,
  shop,
  complaints,
}) => {
  complaints.tolerate(/status of 503 /);
  const ready = async () => (await fetch(`${shop.address}/health/ready`)).status;
  await form.open('/breakdown/vehicle');
  await form.choose('How much cover do you need?', 'National and home');
  await form.goOn('Your details');
  await form.fillPolicyholder();
  await form.fillVehicle(1, CAR);
  await form.goOn('Options');
  const keyCover = page.getByRole('checkbox', { name: 'Key cover' });
  await keyCover.check();

  databaseProxy.cut();
  await expect.poll(ready).toBe(503);
  const busy = page.getByText(/We are busy just now\. Please wait/);
  const pressed = Date.now();
  await form.next.click();
  await expect(busy).toBeVisible();
  // The server waits two seconds. The rest of the time is for the browser's own work.
  expect(Date.now() - pressed).toBeLessThan(4000);
  await form.expectStep('Options');
  await expect(keyCover).toBeChecked();

  databaseProxy.reconnect();
  await expect.poll(ready).toBe(200);
  await form.goOn('Payment');
  await form.readSummary(async (summary) => {
    await expect(summary.getByText(CAR.registration)).toBeVisible();
    await expect(summary.getByRole('listitem').filter({ hasText: 'Key cover' })).toBeVisible();
  });
  await expect(page.getByRole('checkbox', { name: /^I agree to the statements above/ })).toBeVisible();
});
