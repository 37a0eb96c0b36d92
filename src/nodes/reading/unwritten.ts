import { isFields, type Fields } from '../../platform/fields/values.js';
import { isOff } from './off.js';

/** Thrown for a question that no node stands for. */
export class HasNoNode extends Error {}

/** The parameters of a question that its node does not have yet. */
export class Unwritten {
  private readonly left: Map<string, unknown>;

  constructor(params: unknown) {
    if (!isFields(params)) throw new HasNoNode();
    this.left = new Map(Object.entries(params).filter(([, value]) => !isOff(value)));
  }

  /** Returns the parameter, which is written once; undefined if the question does not have it. */
  take(name: string): unknown {
    const value = this.left.get(name);
    this.left.delete(name);
    return value;
  }

  takeList(name: string): readonly unknown[] {
    const value = this.take(name) ?? [];
    if (!Array.isArray(value)) throw new HasNoNode();
    return value as readonly unknown[];
  }

  takeRest(): Fields {
    const rest = Object.fromEntries(this.left);
    this.left.clear();
    return rest;
  }

  end(): void {
    if (this.left.size > 0) throw new HasNoNode();
  }
}

/** Writes a value all of whose parameters must find their place. */
export const writeAll = (params: unknown, write: (from: Unwritten) => Fields): Fields => {
  const from = new Unwritten(params);
  const written = write(from);
  from.end();
  return written;
};
