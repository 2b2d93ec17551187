import { createServer, type IncomingMessage, request as sendRequest, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The pause between readiness checks of each shop, in milliseconds. */
const EVERY_MS = 100;

interface Passed {
  method: string;
  path: string;
  /** The number of the shop that responded. */
  node: number;
}

/**
 * A round-robin proxy before several shops. It uses the shops that are ready at `/health/ready`,
 * and tries the next one if a connection is refused.
 */
export class Balancer {
  /** The forwarded calls, and the shop of each. */
  readonly forwarded: Passed[] = [];
  private shops: { address: URL; isReady: boolean }[] = [];
  private nextShop = 0;
  private looking: NodeJS.Timeout | undefined;

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<Balancer> {
    const server = createServer();
    const balancer = new Balancer(server);
    server.on('request', (request, answer) => {
      balancer.pass(request, answer).catch(() => answer.writeHead(502).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Starts a balancer for these shops, after the first readiness check. */
  async lead(addresses: string[]): Promise<void> {
    this.shops = addresses.map((address) => ({ address: new URL(address), isReady: false }));
    await this.look();
    this.looking = setInterval(() => void this.look(), EVERY_MS);
  }

  /** Returns the numbers of the shops that were ready at the last check. */
  get ready(): number[] {
    return this.shops.flatMap(({ isReady }, node) => (isReady ? [node] : []));
  }

  /** Returns the last shop that responded to such a call. */
  whoAnswered(method: string, path: RegExp): number {
    const call = this.forwarded.findLast((call) => call.method === method && path.test(call.path));
    if (!call) throw new Error(`nobody was asked for ${method} ${path}`);
    return call.node;
  }

  close(): void {
    clearInterval(this.looking);
    this.server.close();
    this.server.closeAllConnections();
  }

  private async look(): Promise<void> {
    const checks = this.shops.map(async (shop) => {
      const answer = await fetch(new URL('/health/ready', shop.address)).catch(() => undefined);
      shop.isReady = answer?.status === 200;
    });
    await Promise.all(checks);
  }

  private async pass(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { ready } = this;
    this.nextShop += 1;
    for (let tries = 0; tries < ready.length; tries += 1) {
      const node = ready[(this.nextShop + tries) % ready.length] ?? 0;
      if (await this.passTo(node, request, body, answer)) return;
    }
    answer.writeHead(503).end();
  }

  /** Whether the shop accepted the connection. A shop that fails during a response gives a 502. */
  private passTo(
    node: number,
    request: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
  ): Promise<boolean> {
    const address = this.shops[node]?.address;
    const { method = 'GET', url: path = '/' } = request;
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' };
    return new Promise((resolve, failed) => {
      const call = sendRequest({ host: address?.hostname, port: address?.port, method, path, headers });
      call.on('response', (from) => {
        this.forwarded.push({ method, path, node });
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
        from.on('end', () => resolve(true));
        from.on('error', failed);
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') resolve(false);
        else failed(error);
      });
      call.end(body);
    });
  }
}
