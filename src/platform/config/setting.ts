export interface Setting<T> {
  readonly doc: string;
  /** The value in `.env.example`; empty means unset. */
  readonly example: string;
  /** Receives undefined when the variable is unset or empty. Throws a SettingError that describes the correct value. */
  readonly parse: (text: string | undefined) => T;
}

export class SettingError extends Error {}
