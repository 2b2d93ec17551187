import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How often each shop is asked whether it is ready. */
const EVERY_MS = 100;

interface Passed {
  method: string;
  path: string;
  /** The number of the shop that answered. */
  node: number;
}

/**
 * A proxy as somebody would put before several shops: it goes round those that say at `/health/ready` that they
 * are, and to the next where nobody takes the connection.
 */
export class Balancer {
  /** What was answered, and by whom. */
  readonly passed: Passed[] = [];
  private shops: { address: URL; isReady: boolean }[] = [];
  private turn = 0;
  private looking: NodeJS.Timeout | undefined;

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<Balancer> {
    const server = createServer();
    const balancer = new Balancer(server);
    server.on('request', (asked, answer) => {
      balancer.pass(asked, answer).catch(() => answer.writeHead(502).end());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return balancer;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Leads to these shops; answers once it has looked at them. */
  async lead(addresses: string[]): Promise<void> {
    this.shops = addresses.map((address) => ({ address: new URL(address), isReady: false }));
    await this.look();
    this.looking = setInterval(() => void this.look(), EVERY_MS);
  }

  /** The numbers of the shops that are ready, as was last seen. */
  get ready(): number[] {
    return this.shops.flatMap(({ isReady }, node) => (isReady ? [node] : []));
  }

  /** Which shop was the last to answer such a call. */
  whoAnswered(method: string, path: RegExp): number {
    const call = this.passed.findLast((one) => one.method === method && path.test(one.path));
    if (!call) throw new Error(`nobody was asked for ${method} ${path}`);
    return call.node;
  }

  close(): void {
    clearInterval(this.looking);
    this.server.close();
    this.server.closeAllConnections();
  }

  private async look(): Promise<void> {
    const asked = this.shops.map(async (shop) => {
      const answer = await fetch(new URL('/health/ready', shop.address)).catch(() => undefined);
      shop.isReady = answer?.status === 200;
    });
    await Promise.all(asked);
  }

  private async pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const { ready } = this;
    this.turn += 1;
    for (let tries = 0; tries < ready.length; tries += 1) {
      const node = ready[(this.turn + tries) % ready.length] ?? 0;
      if (await this.passTo(node, asked, body, answer)) return;
    }
    answer.writeHead(503).end();
  }

  /** Whether the shop took the connection. One that dies in the middle of an answer is a 502. */
  private passTo(
    node: number,
    asked: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
  ): Promise<boolean> {
    const address = this.shops[node]?.address;
    const { method = 'GET', url: path = '/' } = asked;
    const headers = { ...asked.headers, 'x-forwarded-for': asked.socket.remoteAddress ?? '' };
    return new Promise((done, failed) => {
      const call = request({ host: address?.hostname, port: address?.port, method, path, headers });
      call.on('response', (from) => {
        this.passed.push({ method, path, node });
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
        from.on('end', () => done(true));
        from.on('error', failed);
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') done(false);
        else failed(error);
      });
      call.end(body);
    });
  }
}
