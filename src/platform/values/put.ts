/** Sets a key of an object, also `__proto__`: a plain assignment would set the prototype and lose the key of the sender. */
export const put = <T>(target: Record<string, T>, key: string, value: T): void => {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
};
