import { type Properties, type PropertyChanges } from './identity-event.js';
import { put } from '../../platform/values/json.js';

/** Compares as jsonb does: the order of keys does not matter. */
export const jsonEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => jsonEqual(item, b[at]))
    );
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!Object.hasOwn(b, key) || !jsonEqual(valueOf(a, key), valueOf(b, key))) return false;
  return true;
};

const valueOf = (object: object, key: string): unknown => (object as Record<string, unknown>)[key];

/** The limit applies to the properties as compact JSON text. */
export const maxPersonPropertiesBytes = 640 * 1024;

/** A list of writes contains each key at most once. */
interface PropertyWrite {
  readonly key: string;
  readonly value: unknown;
}

/** A person's stored properties and the changes to them. Only real differences from the stored values count as changes. */
export class PersonProperties {
  /** `undefined` stands for a removed key. */
  private readonly changes = new Map<string, unknown>();
  /**
   * The exact size, computed only once the limit is near. Until then the upper bound `bytesAtMost` suffices, which costs a
   * tenth.
   */
  private bytes: number | null = null;
  private bytesAtMost: number | null = null;

  constructor(private readonly stored: Properties) {}

  get isChanged(): boolean {
    return this.changes.size > 0;
  }

  /** Applies all changes and returns true, or applies none and returns false when the properties would exceed the limit. */
  apply(requested: PropertyChanges): boolean {
    if (!this.wouldChange(requested)) return true;
    const { set, setOnce, unset, momentary = {} } = requested;
    const writes: PropertyWrite[] = [];
    for (const key in setOnce) if (this.get(key) === undefined) writes.push({ key, value: setOnce[key] });
    for (const key in set) if (!jsonEqual(this.get(key), set[key])) writes.push({ key, value: set[key] });
    for (const key of unset) if (this.get(key) !== undefined) writes.push({ key, value: undefined });
    for (const key in momentary) {
      if (!jsonEqual(this.get(key), momentary[key])) writes.push({ key, value: momentary[key] });
    }
    if (!this.mayBecome(writes)) return false;
    for (const { key, value } of writes) {
      if (jsonEqual(value, own(this.stored, key))) this.changes.delete(key);
      else this.changes.set(key, value);
    }
    return true;
  }

  /** Most events change nothing, so this check comes before any allocation. */
  private wouldChange({ set, setOnce, unset, momentary }: PropertyChanges): boolean {
    for (const key in setOnce) if (this.get(key) === undefined) return true;
    for (const key in set) if (!jsonEqual(this.get(key), set[key])) return true;
    for (const key of unset) if (this.get(key) !== undefined) return true;
    for (const key in momentary) if (this.get(key) === undefined) return true;
    return false;
  }

  /** Adds the properties that the other person has and this one lacks. */
  complete(other: PersonProperties): boolean {
    return this.apply({ set: {}, setOnce: other.toObject(), unset: [] });
  }

  toObject(): Properties {
    if (!this.isChanged) return this.stored;
    const object: Record<string, unknown> = {};
    for (const key in this.stored) if (!this.changes.has(key)) put(object, key, this.stored[key]);
    for (const [key, value] of this.changes) if (value !== undefined) put(object, key, value);
    return object;
  }

  /** The difference from the stored properties. */
  patch(): { changed: Properties; removed: string[] } {
    const changed: Record<string, unknown> = {};
    const removed: string[] = [];
    for (const [key, value] of this.changes) {
      if (value === undefined) removed.push(key);
      else put(changed, key, value);
    }
    return { changed, removed };
  }

  get(key: string): unknown {
    return this.changes.has(key) ? this.changes.get(key) : own(this.stored, key);
  }

  private mayBecome(writes: readonly PropertyWrite[]): boolean {
    if (this.bytes === null) {
      this.bytesAtMost ??= entriesAtMost(this.stored);
      for (const { key, value } of writes) this.bytesAtMost += entryAtMost(key, value);
      if (this.bytesAtMost <= maxPersonPropertiesBytes) return true;
    }
    this.bytes ??= objectBytes(this.toObject());
    let after = this.bytes;
    for (const { key, value } of writes) after += entryBytes(key, value) - entryBytes(key, this.get(key));
    // Properties that are already too large, for example after an import, may still shrink.
    if (after > this.bytes && after > maxPersonPropertiesBytes) return false;
    this.bytes = after;
    return true;
  }
}

/** Ignores what every object inherits: `constructor` is not a property of a person unless it was set. */
const own = (object: Properties, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Counts the opening bracket, and each entry with its colon and the comma or bracket after it. */
const objectBytes = (object: Properties): number =>
  Object.keys(object).length === 0 ? 1 : Buffer.byteLength(JSON.stringify(object));

const entryBytes = (key: string, value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(key)) + Buffer.byteLength(JSON.stringify(value)) + 2;

const entriesAtMost = (object: Properties): number => {
  let bytes = 1;
  for (const key in object) bytes += entryAtMost(key, object[key]);
  return bytes;
};

const entryAtMost = (key: string, value: unknown): number => textAtMost(key) + valueAtMost(value) + 2;

const valueAtMost = (value: unknown): number => {
  if (typeof value === 'string') return textAtMost(value);
  if (typeof value === 'object' && value !== null) return Buffer.byteLength(JSON.stringify(value));
  return 25; // -1.7976931348623157e+308
};

/** The bound assumes that every character is written as \u001f. */
const textAtMost = (text: string): number => 6 * text.length + 2;
