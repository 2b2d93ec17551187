import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The way from a shop to its database, which a test can cut. */
export class Road {
  private readonly open = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    /** The database's address by this way; none where there is no database. */
    readonly url: string,
  ) {}

  static async to(database: string): Promise<Road> {
    if (database === '') return new Road(createServer(), '');
    const { hostname, port, host } = new URL(database);
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const road = new Road(server, database.replace(host, here));
    server.on('connection', (shop) => {
      if (road.isCut) shop.destroy();
      else road.join(shop, connect(Number(port), hostname));
    });
    return road;
  }

  /** From now on nobody gets through, and who was connected isn't any more. */
  cut(): void {
    this.isCut = true;
    for (const end of this.open) end.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(...ends: [Socket, Socket]): void {
    const [shop, database] = ends;
    shop.pipe(database).pipe(shop);
    for (const end of ends) {
      this.open.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        this.open.delete(end);
        for (const other of ends) other.destroy();
      });
    }
  }
}
