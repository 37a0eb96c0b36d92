import { afterEach, expect } from '@jest/globals';
import { bootstrapFile, removeDir, start, tempDir, terminate, type Env } from '../support/process.js';
import { slowest, Traffic, type Reply } from '../support/traffic.js';
import { answeredWithinMs } from '../support/promised-times.js';

/** Closes what a test has opened, the newest first. */
export const closingAfterEach = () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return (close: () => unknown): void => void closers.push(close);
};

export const newFolder = async (closing: (close: () => unknown) => void): Promise<string> => {
  const path = await tempDir();
  closing(() => removeDir(path));
  return path;
};

/** A service that has taken and counted a few events. */
export const startWithTraffic = async (closing: (close: () => unknown) => void, dataDir: string, env: Env = {}) => {
  // A question that waits for what cannot be shipped is answered sooner.
  const service = await start({ DATA_DIR: dataDir, PROJECTION_WAIT_MS: '300', ...env });
  closing(() => terminate(service));
  const traffic = new Traffic(service, await bootstrapFile(dataDir));
  await traffic.go(2);
  return { service, traffic };
};

/** Each request was answered in time: as it should be, or with a 503, and at least one with this detail. */
export const expectRefusals = (replies: readonly Reply[], detail: string): void => {
  expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(replies.some((reply) => reply.status === 503 && reply.detail === detail)).toBe(true);
  expect(slowest(replies)).toBeLessThan(answeredWithinMs);
};
