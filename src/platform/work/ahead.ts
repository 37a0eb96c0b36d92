/** Begins work before its result is needed. It may fail while nothing waits for it yet; the caller that awaits it gets the error. */
export const ahead = <T>(begin: () => Promise<T>): Promise<T> => {
  const work = begin();
  work.catch(() => undefined);
  return work;
};
