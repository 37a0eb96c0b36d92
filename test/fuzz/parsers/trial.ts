import { type ParserTarget } from './target.js';

/** No input of these sizes may hold up this thread for longer. */
const mostMs = 1_000;

/** Runs a parser with an input. Returns why the parser broke a promise, or null. */
export const trial = async (target: ParserTarget, input: Buffer): Promise<Error | null> => {
  const begun = performance.eventLoopUtilization();
  const before = process.cpuUsage();
  try {
    await target.run(input);
  } catch (error) {
    return error instanceof Error ? error : new Error(`thrown: ${String(error)}`);
  }
  if (performance.eventLoopUtilization(begun).active < mostMs) return null;
  // The machine may have been busy with something else.
  const { user } = process.cpuUsage(before);
  return user < mostMs * 1000 ? null : new Error(`took ${Math.round(user / 1000)} ms`);
};

/** The same for inputs that break the same promise at the same place. */
export const kindOf = ({ name, message, stack = '' }: Error): string => {
  const place = /\/(?:src|test\/fuzz)\/[^\s)]+/.exec(stack.slice(stack.indexOf('\n    at ')))?.[0] ?? '';
  return `${name} ${message.replaceAll(/[^a-z ]+/gi, ' ').slice(0, 40)} ${place}`;
};
