/** A plain assignment to `__proto__` would set the prototype and lose the sender's key. */
export const put = <T>(target: Record<string, T>, key: string, value: T): void => {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
};
