import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';

/** A bucket on this machine that keeps its objects in memory. It checks no signature: `s3-server.ts` has a server that does. */
export class BucketServer {
  readonly objects = new Map<string, Buffer>();
  /** The paths that were written, in order. */
  readonly writes: string[] = [];
  /** Runs before an object is written. Returns a status to refuse it; null takes it. */
  onPut: (path: string) => number | null = () => null;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<BucketServer> {
    const server = createServer();
    const bucket = new BucketServer(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const path = decodeURIComponent((request.url ?? '').replace(/^\/[^/]+\//, ''));
        const status = request.method === 'PUT' ? bucket.onPut(path) : 405;
        if (status === null) {
          bucket.objects.set(path, Buffer.concat(parts));
          bucket.writes.push(path);
        }
        response.writeHead(status ?? 200).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return bucket;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The destination of a batch export that writes here. */
  destination(prefix: string, file_format: 'Parquet' | 'JSONLines' = 'JSONLines') {
    const keys = { aws_access_key_id: 'key', aws_secret_access_key: 'a-secret' };
    return {
      type: 'S3',
      config: { bucket_name: 'warehouse', prefix, endpoint_url: this.url, ...keys, file_format },
    };
  }

  /** The objects below a prefix, by their paths after it. */
  below(prefix: string): Map<string, Buffer> {
    const found = [...this.objects].filter(([path]) => path.startsWith(`${prefix}/`));
    return new Map(found.map(([path, bytes]) => [path.slice(prefix.length + 1), bytes]));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
