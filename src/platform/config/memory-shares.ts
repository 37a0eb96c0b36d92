import { totalmem } from 'node:os';

const mebibyte = 1024 ** 2;

/** Divides the memory of one process among its parts, in bytes. */
export interface MemoryShares {
  /** The memory that is divided; null if only the machine limits it. */
  readonly budget: number | null;
  /** The whole embedded ClickHouse. */
  readonly engine: number | null;
  /** One question to the embedded ClickHouse. */
  readonly question: number;
  readonly questionsAtATime: number;
  /** The caches of indexes and marks in the embedded ClickHouse. */
  readonly engineCaches: number;
  /** How many parts of a table a merge may join, each with little memory; null leaves both to the engine. */
  readonly partsOfMerge: number | null;
  /** Events between their commit and their shipment. */
  readonly recentEvents: number;
  /** Bodies of requests that are being processed. */
  readonly bodies: number;
  /** Pages that the embedded PostgreSQL keeps. */
  readonly postgresPages: number | null;
}

const unlimited = {
  engineCaches: 448 * mebibyte,
  recentEvents: 64 * mebibyte,
  bodies: 256 * mebibyte,
};

const between = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value));

/** The memory of all but the engine: the heap of JavaScript, the processes of PostgreSQL, buffers, and code that is in use. */
const besideEngine = (budget: number): number => Math.max(500 * mebibyte, 0.4 * budget);

const leastEngine = 128 * mebibyte;
const mostQuestions = 4;
/** Ordinary questions about a month of a million events need less. */
const bytesOfQuestion = 128 * mebibyte;

/** A merge needs up to 30 MiB for each part with events of an SDK, and half of the engine is for the rest of its work. */
const bytesOfMergedPart = 64 * mebibyte;
/** The default of the engine. */
const defaultPartsOfMerge = 100;

/** The memory of one question: all that run at a time get half of the machine, which PostgreSQL and the service also use. */
const questionOf = (machine: number): number =>
  // Below half a gigabyte ordinary questions would fail.
  Math.round(between(512 * mebibyte, machine / 2 / mostQuestions, 1536 * mebibyte));

const divided = (budget: number): MemoryShares => {
  const engine = Math.max(leastEngine, budget - besideEngine(budget));
  return {
    budget,
    engine,
    question: Math.min(0.6 * engine, 1536 * mebibyte),
    questionsAtATime: between(2, Math.floor(engine / bytesOfQuestion), mostQuestions),
    engineCaches: Math.min(unlimited.engineCaches, engine / 4),
    partsOfMerge:
      engine < defaultPartsOfMerge * bytesOfMergedPart ? Math.max(4, Math.floor(engine / bytesOfMergedPart)) : null,
    recentEvents: between(8 * mebibyte, budget / 48, unlimited.recentEvents),
    // The largest batch must fit, twice.
    bodies: between(64 * mebibyte, budget / 12, unlimited.bodies),
    postgresPages: between(16 * mebibyte, budget / 32, 64 * mebibyte),
  };
};

/** The memory of the container; null if that is not less than the memory of the machine. */
const ofContainer = (): number | null => {
  const limit = process.constrainedMemory() || Infinity;
  return limit < totalmem() ? limit : null;
};

/** `given` is MEMORY_BUDGET_MB in bytes; without it, the limit of the container is divided. */
export const memoryShares = (given: number | null = null): MemoryShares => {
  const budget = given ?? ofContainer();
  if (budget !== null) return divided(budget);
  return {
    ...unlimited,
    budget,
    engine: null,
    partsOfMerge: null,
    question: questionOf(totalmem()),
    questionsAtATime: mostQuestions,
    postgresPages: null,
  };
};
