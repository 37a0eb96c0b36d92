import { isFields } from '../../platform/fields/values.js';

/** The values that switch a field off are accepted, because clients send them. */
export const isOff = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0);
