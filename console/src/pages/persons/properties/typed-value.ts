export const valueTypes = ['text', 'number', 'yes/no', 'JSON', 'null'] as const;

export type ValueType = (typeof valueTypes)[number];

export interface TypedText {
  readonly type: ValueType;
  readonly text: string;
}

/** How a stored value begins in the editor. */
export const typedTextOf = (value: unknown): TypedText => {
  if (value === null) return { type: 'null', text: '' };
  if (typeof value === 'string' || value === undefined) return { type: 'text', text: value ?? '' };
  if (typeof value === 'number') return { type: 'number', text: String(value) };
  if (typeof value === 'boolean') return { type: 'yes/no', text: String(value) };
  return { type: 'JSON', text: JSON.stringify(value, null, 2) };
};

export type Read = { readonly value: unknown } | { readonly error: string };

/** The value that is stored, or what is wrong with the text. */
export const readTyped = ({ type, text }: TypedText): Read => {
  if (type === 'text') return { value: text };
  if (type === 'null') return { value: null };
  if (type === 'yes/no') return { value: text === 'true' };
  if (type === 'number') {
    const value = Number(text);
    return text.trim() === '' || !Number.isFinite(value) ? { error: 'This is not a number.' } : { value };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: `This is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
};
