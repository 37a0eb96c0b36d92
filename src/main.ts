import { setFlagsFromString } from 'node:v8';
import { createLogger } from './platform/telemetry/logger.js';
import { misspeltVariables } from './platform/config/misspelt-variables.js';
import { ConfigError, type Config } from './platform/config/config.js';
import { readProcessEnvironment, settingNames } from './platform/config/process-environment.js';
import { handleProcessErrors } from './app/start/process-errors.js';
import { ServiceLifecycle } from './app/start/service-lifecycle.js';
import { assertFreePort } from './app/start/free-port.js';
import { DataDirInUseError, lockDataDir } from './platform/embedded/data-dir.js';
import { holdsInstallation } from './platform/postgres/embedded/cluster.js';

/** `npm run demo`: the service fills itself with data to look at. */
const isDemo = process.argv[2] === 'demo';

const run = async (): Promise<void> => {
  const { config, names } = readProcessEnvironment();
  const logger = createLogger(config);
  for (const fault of misspeltVariables(names, settingNames)) logger.warn(fault);
  const lifecycle = new ServiceLifecycle({
    logger,
    open: async () => {
      await refuseUnusable(config);
      // Loaded only now, so that a fault of the settings is reported at once.
      const { openService } = await import('./app/open-service.js');
      return openService(config, logger, { isDemo });
    },
    exit: (code) => process.exit(code),
    stopWithinMs: config.shutdownDelayMs + 9_500,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => lifecycle.stop(signal));
  handleProcessErrors({ logger, restart: () => lifecycle.restart() });
  const first = (await isFirstStart(config)) ? '; the first start takes a few seconds' : '';
  logger.info({ data_dir: config.dataDir, role: config.role }, `starting${first}`);
  await lifecycle.start();
};

/** A folder that cannot be read is refused a moment later, with its reason. */
const isFirstStart = async ({ databaseUrl, dataDir }: Config): Promise<boolean> =>
  !databaseUrl && !(await holdsInstallation(dataDir).catch(() => true));

/** The stores take the lock again, and keep it. The port comes second: a second start in a folder has no free port either. */
const refuseUnusable = async (config: Config): Promise<void> => {
  if (!config.databaseUrl || !config.clickhouseUrl) await (await lockDataDir(config.dataDir)).release();
  await assertFreePort(config);
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
