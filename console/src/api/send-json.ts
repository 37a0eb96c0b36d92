import { ProblemError } from './problem-error';

/** For routes whose body or answer the generated types do not describe well. An answer without a body gives null. */
export const sendJson = async <T>(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> => {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw ProblemError.of(answer, response.status);
  return answer as T;
};
