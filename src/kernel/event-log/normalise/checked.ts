/** A value, or the reason why the event that contains it is rejected. */
export type Checked<T> = { ok: true; value: T } | Refusal;

export interface Refusal {
  ok: false;
  code: 'required' | 'invalid_input' | 'too_large';
  detail: string;
}

export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });

export const refuse = (code: Refusal['code'], detail: string): Refusal => ({ ok: false, code, detail });

/** True if a value looks like a project token or personal key, and so must never be stored as a property. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && (value.startsWith('phc_') || value.startsWith('phx_'));
