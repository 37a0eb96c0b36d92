import { jsonText } from '../../platform/values/json-text.js';

/**
 * The text under which a list or an object is stored, whatever the order of keys and the blanks of the text that a filter
 * compares with; null for any other text.
 */
export const storedJson = (text: string): string | null => {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return jsonText(JSON.parse(text) as object);
  } catch {
    return null;
  }
};
