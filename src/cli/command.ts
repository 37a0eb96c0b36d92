import { type INestApplicationContext } from '@nestjs/common';
import { type Logger } from '../common/logging/logger.js';
import { type Config } from '../config/config.js';
import { type Database } from './database.js';
import { type Row } from './output.js';

/** The command line was used wrongly; the message says what would be right. */
export class UsageError extends Error {}

export type Flags = Readonly<Record<string, string | undefined>>;

export interface CommandContext {
  readonly app: INestApplicationContext;
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly flags: Flags;
  readonly args: readonly string[];
}

export interface Command {
  /** The name as it is typed, such as "project create". */
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, { readonly type: 'string' }>>;
  run(context: CommandContext): Promise<Row | readonly Row[]>;
}

export const demandFlag = (flags: Flags, name: string): string => {
  const value = flags[name];
  if (!value) throw new UsageError(`--${name} is required`);
  return value;
};
