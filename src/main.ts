import { type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { createService, type Service } from './app.setup.js';
import { createLogger, type Logger } from './common/logging/logger.js';
import { misspeltVariables } from './common/misspelt-variables.js';
import { ConfigError, type Config } from './config/config.js';
import { readProcessEnvironment, settingNames } from './config/process-environment.js';
import { prepareDemo } from './demo.js';
import { firstStart } from './first-start.js';
import { HealthService } from './health/health.service.js';
import { handleProcessErrors } from './process-errors.js';
import { ServiceLifecycle } from './service-lifecycle.js';
import { DataDirInUseError } from './stores/data-dir.js';

/** `npm run demo`: the service fills itself with data to look at. */
const isDemo = process.argv.includes('--demo');

const run = async (): Promise<void> => {
  const { config, names } = readProcessEnvironment();
  const logger = createLogger(config);
  for (const fault of misspeltVariables(names, settingNames)) logger.warn(fault);
  const lifecycle = new ServiceLifecycle({
    logger,
    open: () => open(config, logger),
    exit: (code) => process.exit(code),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => lifecycle.stop(signal));
  handleProcessErrors({ logger, restart: () => lifecycle.restart() });
  logger.info({ data_dir: config.dataDir, role: config.role }, 'starting; the first start takes a few seconds');
  await lifecycle.start();
};

/** The port is opened first: a start that fails because the port is taken must not have made a project. */
const open = async (config: Config, logger: Logger): Promise<Service> => {
  const service = await createService(config, logger);
  const prepared = service.app.get(HealthService).prepare();
  await listen(service, config);
  try {
    const url = urlOf(service);
    logger.info({ url, role: config.role }, 'listening');
    const banner = await firstStart(service.app, config, url, logger);
    prepared();
    if (isDemo) process.stdout.write(await prepareDemo(service.app, config, url));
    else if (banner) process.stdout.write(banner);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
};

const listen = async (service: Service, config: Config): Promise<void> => {
  try {
    await service.app.listen(config.port, config.host);
  } catch (error) {
    await service.stop();
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigError(`PORT ${config.port} on HOST ${config.host} cannot be listened on (${code}): set another`);
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

/** A fault that the operator can correct gets one line; a defect of the service gets its stack. */
const explain = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof DataDirInUseError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

// Long streams leave much garbage that is collected late: by default the heap grows to four times the live data.
setFlagsFromString('--heap-growing-percent=50');

run().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
