/** Starts work before its result is needed. If it fails before a caller awaits it, the caller gets the error then. */
export const ahead = <T>(begin: () => Promise<T>): Promise<T> => {
  const work = begin();
  work.catch(() => undefined);
  return work;
};
