import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base } from './test.ts';

/** Returns a vehicle of the vehicle enquiry service. Its tax is paid and its MOT has expired. */
function vehicle(registrationNumber: string) {
  return {
    registrationNumber,
    make: 'FORD',
    colour: 'RED',
    fuelType: 'PETROL',
    taxStatus: 'Taxed',
    taxDueDate: '2027-09-01',
    motStatus: 'Not valid',
    motExpiryDate: '2026-09-30',
    monthOfFirstRegistration: '2019-03',
  };
}

/** Returns five hundred addresses of one postcode. */
function addresses(postcode: string) {
  return {
    code: 2000,
    result: Array.from({ length: 500 }, (_, index) => ({
      line_1: `${index + 1} Acacia Avenue`,
      line_2: '',
      line_3: '',
      post_town: 'LEEDS',
      postcode,
      latitude: 53.8,
      longitude: -1.5,
    })),
  };
}

/** Plays both services. The last three letters of the registration choose the failure. */
const answer: RequestListener = (request, response) => {
  let received = '';
  request.on('data', (text) => {
    received += text;
  });
  request.on('end', () => {
    const respond = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url?.startsWith('/v1/postcodes/')) return respond(200, addresses('LS6 1AB'));
    const mark = String(JSON.parse(received).registrationNumber);
    switch (mark.slice(-3)) {
      case 'NFD':
        return respond(404, { errors: [{ title: 'Vehicle Not Found' }] });
      // It never responds.
      case 'SLO':
        return;
      case 'END':
        return response.destroy();
      case 'HTM':
        response.writeHead(200, { 'Content-Type': 'text/html' });
        return response.end('<html><body>Down for maintenance</body></html>');
      case 'OTH':
        return respond(200, vehicle('ZZ99ZZZ'));
      case 'MNY':
        return respond(429, {});
      default:
        return respond(200, vehicle(mark));
    }
  });
};

interface Services {
  services: Server;
}

/** A shop with the vehicle enquiry service and Ideal Postcodes, both played on this machine. */
export const test = base.extend<object, Services>({
  services: [
    async ({}, use) => {
      const server = createServer(answer);
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      await use(server);
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],

  settings: [
    async ({ services }, use) => {
      const url = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
      await use(`[lookup]
vehicle = "ves"
address = "ideal_postcodes"
[lookup.ves]
url = "${url}"
api_key = "double"
[lookup.ideal_postcodes]
url = "${url}"
api_key = "double"
`);
    },
    { scope: 'worker' },
  ],
});
