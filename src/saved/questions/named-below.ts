import { Problem } from '../../platform/errors/problem.js';

/** Calls `work`; in a problem about a parameter, the parameter gets its path in the saved record. */
export const namedBelow = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem && error.attr !== null ? moved(error, path, error.attr) : error;
  }
};

const moved = ({ status, type, code, detail, headers, extra }: Problem, path: string, attr: string): Problem =>
  new Problem(
    status,
    type,
    code,
    detail.startsWith(attr) ? `${path}.${detail}` : detail,
    `${path}.${attr}`,
    headers,
    extra,
  );
