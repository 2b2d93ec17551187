import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a shop and its database, which a test can cut. */
export class DatabaseProxy {
  private readonly open = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    /** The database's address through the proxy. Empty without a database. */
    readonly url: string,
  ) {}

  static async to(database: string): Promise<DatabaseProxy> {
    if (database === '') return new DatabaseProxy(createServer(), '');
    const { hostname, port, host } = new URL(database);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const road = new DatabaseProxy(server, database.replace(host, address));
    server.on('connection', (shop) => {
      if (road.isCut) shop.destroy();
      else road.join(shop, connect(Number(port), hostname));
    });
    return road;
  }

  /** Cuts all connections and refuses new ones. */
  cut(): void {
    this.isCut = true;
    for (const end of this.open) end.destroy();
  }

  reconnect(): void {
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
