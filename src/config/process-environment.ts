import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { loadConfig, type Config, type Environment } from './config.js';
import { settings } from './settings.js';

export interface ProcessEnvironment {
  readonly config: Config;
  /** Every variable that is set, ours or not. */
  readonly names: readonly string[];
}

/** Reads the process's environment, completed by `.env` in the working directory where a variable is not set. */
export const readProcessEnvironment = (): ProcessEnvironment => {
  const file: Environment = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  const env = { ...file, ...process.env };
  const config = loadConfig(env, (name) => (process.env[name] === undefined && name in file ? '.env' : null));
  return { config, names: Object.keys(env) };
};

export const settingNames: readonly string[] = Object.keys(settings);
