import { Problem } from '../../platform/errors/problem.js';

/** Calls `work`; in a problem about a parameter, the parameter gets its path in the saved record. */
export const namedBelow = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem && error.attr !== null ? error.at(`${path}.${error.attr}`) : error;
  }
};
