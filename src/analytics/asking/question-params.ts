import { invalidInput } from '../../common/errors/problem.js';
import { readJsonText } from '../../common/json/read-json.js';

type Given = Readonly<Record<string, unknown>>;

/** The parameters of a question before anything is known of them: texts of a query string, or values of a JSON body. */
export class Params {
  constructor(private readonly given: Given) {}

  /** What the body says wins. */
  static of(query: Given, body: Given = {}): Params {
    return new Params({ ...query, ...body });
  }

  /** What is given beside them wins. */
  with(more: Given): Params {
    return new Params({ ...this.given, ...more });
  }

  has(name: string): boolean {
    const value = this.given[name];
    return value !== undefined && value !== null && value !== '';
  }

  /** As it came, whatever it is. */
  raw(name: string): unknown {
    return this.given[name];
  }

  text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const value = this.given[name];
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw invalidInput(`${name} must be one text`, name);
  }

  integer(name: string, { min, max, fallback }: { min: number; max: number; fallback: number }): number {
    return this.optionalInteger(name, { min, max }) ?? fallback;
  }

  optionalInteger(name: string, { min, max }: { min: number; max: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw invalidInput(`${name} must be an integer from ${min} to ${max}`, name);
    return value;
  }

  boolean(name: string, fallback = false): boolean {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return fallback;
    if (text === 'true' || text === '1') return true;
    if (text === 'false' || text === '0') return false;
    throw invalidInput(`${name} must be true or false`, name);
  }

  choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    return this.optionalChoice(name, choices) ?? fallback;
  }

  optionalChoice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const choice = choices.find((known) => known === text);
    if (choice === undefined) throw invalidInput(`${name} must be one of ${choices.join(', ')}`, name);
    return choice;
  }

  /** A list or object, as such or as its JSON text; any other text is itself. */
  json(name: string): unknown {
    if (!this.has(name)) return undefined;
    const value = this.given[name];
    if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
    return readJsonText(value, name);
  }

  /** A list of texts: as JSON, as a repeated parameter, or a single one. */
  texts(name: string): string[] | undefined {
    const value = this.json(name);
    if (value === undefined) return undefined;
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.map((item, at) => {
      if (typeof item === 'string') return item;
      if (typeof item === 'number' || typeof item === 'boolean') return String(item);
      throw invalidInput(`${name} must be a list of texts`, `${name}.${at}`);
    });
  }
}
