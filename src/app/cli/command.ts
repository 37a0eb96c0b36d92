import { type Type } from '@nestjs/common';
import { type Logger } from '../../platform/telemetry/logger.js';
import { type Config } from '../../platform/config/config.js';
import { type Database } from './database.js';
import { type Row } from './output.js';

/** The command line was written wrongly; the message says what would be right, and the usage line follows it. */
export class UsageError extends Error {}

/** The command was written correctly and cannot be done; the message says why. */
export class CommandRefused extends Error {}

export type Flags = Readonly<Record<string, string | undefined>>;

export interface GivenWords {
  readonly config: Config;
  readonly flags: Flags;
  readonly args: readonly string[];
}

export interface CommandContext extends GivenWords {
  /** Returns a service of the command's application. */
  readonly get: <T>(service: Type<T>) => Promise<T>;
  readonly logger: Logger;
  readonly database: Database;
}

export interface Option {
  /** The word for the value in the help, such as "N"; null for an option without a value. */
  readonly value: string | null;
  readonly about: string;
}

export interface CommandWords {
  /** The name as it is typed, such as "project create". */
  readonly name: string;
  /** An example of a call. */
  readonly usage: string;
  readonly summary: string;
  /** The number of words that may follow the name. */
  readonly arguments?: number;
  readonly options: Readonly<Record<string, Option>>;
  /** The text that a table prints instead of null, for each column where null has a meaning. JSON prints null. */
  readonly nullMeans?: Readonly<Record<string, string>>;
  /** The command may make an installation in an empty DATA_DIR. Others are refused there: they are meant for another folder. */
  readonly begins?: boolean;
  /**
   * The command needs the stores to itself, and the schema is not migrated before it. Other commands may share the stores with a
   * running service, and find the newest schema.
   */
  readonly alone?: boolean;
  /** Refuses options and words before any store is opened. */
  check?(given: GivenWords): void | Promise<void>;
  /** Works on the files of the stores before they are opened. */
  prepare?(given: GivenWords): Promise<void>;
}

type Printed = Row | readonly Row[] | string;

/** A command imports what it needs when it runs, so that the help loads nothing. A text that it returns is printed unchanged. */
export interface Command extends CommandWords {
  run(context: CommandContext): Promise<Printed>;
}

/** A command that opens no store. */
export interface StorelessCommand extends CommandWords {
  runWithoutStores(given: GivenWords): Promise<Printed>;
}

export const requireFlag = (flags: Flags, name: string): string => {
  const value = flags[name];
  if (!value) throw new UsageError(`--${name} is required`);
  return value;
};
