import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError, loadConfig, type Config, type Environment } from './config.js';
import { settings } from './settings.js';

export interface ProcessEnvironment {
  readonly config: Config;
  /** Every variable that is set, ours or not. */
  readonly names: readonly string[];
}

/**
 * Reads the environment of the process. `.env` in the working directory supplies variables that are not set. A setting may also
 * be in a file that a variable such as DATABASE_PASSWORD_FILE names, as secrets of containers are.
 */
export const readProcessEnvironment = (): ProcessEnvironment => {
  const file: Environment = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  const env = { ...file, ...process.env };
  const fileOf = (name: string) => (process.env[name] === undefined && name in file ? '.env' : null);
  const config = loadConfig({ ...env, ...settingsInFiles(env) }, fileOf);
  return { config, names: Object.keys(env) };
};

/** Reads the settings from the files that variables such as DATABASE_PASSWORD_FILE name. */
export const settingsInFiles = (env: Environment): Environment => {
  const found: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of settingNames) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) faults.push(`${name} and ${name}_FILE are both set: leave one of them out`);
    try {
      found[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      faults.push(`${name}_FILE names a file that cannot be read, ${path}: ${(error as NodeJS.ErrnoException).code}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return found;
};

export const settingNames: readonly string[] = Object.keys(settings);
