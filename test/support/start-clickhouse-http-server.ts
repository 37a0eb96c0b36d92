import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ClickHouseHttpServer {
  url: URL;
  /** Process id, for tests that freeze or kill the server. */
  pid: number;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('./clickhouse-http-server.mjs', import.meta.url));

/** A ClickHouse server as a process of its own; the URL names no database. */
export const startClickHouseHttpServer = async (options: {
  path: string;
  port?: number;
  password?: string;
}): Promise<ClickHouseHttpServer> => {
  const child = spawn(process.execPath, [program, '--path', options.path, '--port', String(options.port ?? 0)], {
    // Every running statement holds a thread of libuv's pool, which has four unless told otherwise.
    env: { PATH: process.env.PATH, UV_THREADPOOL_SIZE: '32', CLICKHOUSE_PASSWORD: options.password ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(lines, 'line'),
    exited.then(([code]) =>
      Promise.reject(new Error(`The ClickHouse server did not start, exit code ${String(code)}`)),
    ),
  ])) as [string];
  const close = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { url: new URL((JSON.parse(line) as { url: string }).url), pid: child.pid as number, close };
};
