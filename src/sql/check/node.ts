import { fault, type SourcePosition } from '../fault.js';
import { allowedNodes, positions, nodeRefusals, type NodeKind } from './allowed-nodes.js';

export type NodeFields = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is NodeFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parser writes a choice as its name, or as an object with the name as its only key. */
export interface Variant {
  readonly name: string;
  readonly content: unknown;
}

export const variantOf = (value: unknown): Variant => {
  if (typeof value === 'string') return { name: value, content: undefined };
  const [entry] = isNode(value) ? Object.entries(value) : [];
  return { name: entry?.[0] ?? '', content: entry?.[1] };
};

const isSet = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== 'None' &&
  !(Array.isArray(value) && value.length === 0);

/** The fields of a node of a known kind. A field that is set and not known is a fault. */
export const fieldsOf = (kind: NodeKind, value: unknown, at: SourcePosition): NodeFields => {
  if (!isNode(value)) throw new Error(`the parser wrote no fields for ${kind}`);
  const known: readonly string[] = allowedNodes[kind];
  for (const [name, field] of Object.entries(value)) {
    if (!isSet(field) || known.includes(name) || positions.has(name)) continue;
    throw fault(
      nodeRefusals[name] ?? `${name.replaceAll('_', ' ').toUpperCase()} is not allowed here`,
      positionOf(field, positionOf(value, at)),
    );
  }
  return value;
};

export const nodesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The first position that is noted in a node. */
export const positionOf = (value: unknown, otherwise: SourcePosition): SourcePosition => {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.shift();
    if (Array.isArray(next)) pending.unshift(...(next as unknown[]).slice(0, 3));
    if (!isNode(next)) continue;
    const span = next.span;
    if (isNode(span) && isNode(span.start)) {
      const { line, column } = span.start as Partial<SourcePosition>;
      if (line !== undefined && column !== undefined && line > 0) return { line, column };
    }
    pending.unshift(...Object.values(next).filter((inner) => typeof inner === 'object'));
  }
  return otherwise;
};
