import { type AddressInfo } from 'node:net';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { createService, type Service } from './app.setup.js';
import { bytesInFlight } from '../platform/http/raw-body.js';
import { type Logger } from '../platform/telemetry/logger.js';
import { memoryShares } from '../platform/config/memory-shares.js';
import { type Config } from '../platform/config/config.js';
import { prepareDemo } from './demo/demo.js';
import { firstStart } from './start/first-start.js';
import { portFault } from './start/free-port.js';
import { HealthService } from '../operations/health/health.service.js';

/** The port is opened first: a start that fails because the port is taken must not have made a project. */
export const openService = async (
  config: Config,
  logger: Logger,
  { isDemo }: { readonly isDemo: boolean },
): Promise<Service> => {
  divideMemory(config, logger);
  const service = await createService(config, logger);
  const prepared = service.app.get(HealthService).prepare();
  await listen(service, config);
  try {
    const url = urlOf(service);
    // A user of the demo waits for its data, not for the port.
    if (!isDemo) logger.info({ url, role: config.role }, 'listening');
    const banner = await firstStart(service.app, config, url, logger);
    prepared();
    const guide = isDemo ? await prepareDemo(service.app, config, url, (step) => logger.info(step)) : banner;
    if (guide) process.stdout.write(guide);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
};

const mebibyte = 1024 ** 2;

/** Below this budget, memory that garbage takes on the heap is missing elsewhere. */
const smallBudget = 2048 * mebibyte;

/** Collects garbage each time the heap has grown by a quarter of what is in use, which saves 30 MiB at ingest. */
const collectGarbageEarly = (): void => setFlagsFromString('--heap-growing-percent=25');

const divideMemory = ({ memoryBudget, clickhouseUrl }: Config, logger: Logger): void => {
  const { budget, engine, bodies } = memoryShares(memoryBudget);
  bytesInFlight.limitTo(bodies);
  if (budget === null) return;
  if (budget < smallBudget) collectGarbageEarly();
  const mib = (bytes: number | null) => bytes && Math.round(bytes / mebibyte);
  const heap = getHeapStatistics().heap_size_limit;
  logger.info(
    { budget_mib: mib(budget), engine_mib: clickhouseUrl ? null : mib(engine), heap_mib: mib(heap) },
    'memory is divided',
  );
  if (heap > 0.6 * budget)
    logger.warn(
      `the heap may take ${mib(heap)} of ${mib(budget)} MiB: start with NODE_OPTIONS=--max-old-space-size=${mib(budget / 3)}`,
    );
};

const listen = async (service: Service, config: Config): Promise<void> => {
  try {
    await service.app.listen(config.port, config.host);
  } catch (error) {
    await service.stop();
    throw portFault(config, error);
  }
};

const urlOf = ({ app }: Service): string => {
  const { address, port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(address)
    ? 'localhost'
    : address.includes(':')
      ? `[${address}]`
      : address;
  return `http://${host}:${port}`;
};
