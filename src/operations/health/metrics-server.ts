import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connectionDeadlines, limitConnections } from '../../platform/http/http-server.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { type Metrics } from '../../platform/telemetry/metrics.js';
import { ConfigError, type Config } from '../../platform/config/config.js';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

const limits = { ...connectionDeadlines, total: 100, perAddress: 100 };

export interface MetricsServer {
  stop(): Promise<void>;
}

/** Serves `/metrics` on METRICS_PORT; returns null where the API serves it. */
export const startMetricsServer = async (
  { metricsPort: port, metricsHost: host }: Pick<Config, 'metricsPort' | 'metricsHost'>,
  metrics: Metrics,
  logger: Logger,
): Promise<MetricsServer | null> => {
  if (port === null) return null;
  const server = createServer((request, response) => {
    const isKnown = request.url?.split('?')[0] === '/metrics' && ['GET', 'HEAD'].includes(request.method ?? '');
    if (!isKnown) {
      response.writeHead(404).end();
      return;
    }
    answer(metrics, response).catch((error: unknown) => {
      logger.error({ err: error }, 'metrics could not be collected');
      response.writeHead(500).end();
    });
  });
  limitConnections(server, limits, () => false, metrics);
  await listen(server, port, host);
  logger.info({ host, port }, 'metrics listening');
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const answer = async (metrics: Metrics, response: ServerResponse): Promise<void> => {
  const text = await metrics.registry.metrics();
  response.writeHead(200, { 'Content-Type': metricsContentType }).end(text);
};

const listen = async (server: Server, port: number, host: string): Promise<void> => {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigError(
      `METRICS_PORT ${port} on METRICS_HOST ${host} cannot be listened on (${code}): set another METRICS_PORT`,
    );
  }
};
