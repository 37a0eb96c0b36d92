import { type OpenAPIObject } from '@nestjs/swagger';
import { aliasesOf } from '../support/documented.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  /** Such as `get /api/projects/{project_id}`. */
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly contentTypes: readonly string[];
  readonly body: Schema | null;
  readonly weight: number;
}

interface DocumentedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Relative to an ordinary operation. What makes new records for ever, or what many addresses answer alike, comes less often. */
const weights: readonly (readonly [RegExp, number])[] = [
  [/^\w+ \/(batch|capture|e|i|track|engage|v1)(\/|$)/, 0.3],
  [/^post \/api\/projects$/, 0.1],
  // Each may hash a password, which takes half a second of a processor.
  [/^post \/api\/(sessions|invitations\/accept)$/, 0.05],
  [/^post .*\/(cohorts|import)$/, 0.5],
  [/duplicate_as_static_cohort$/, 0.2],
  [/recalculate$/, 0.3],
  [/\/(funnel|correlation|lifecycle|path|retention|stickiness|trends|preview|explain)$/, 0.5],
  [/\/metrics$/, 0.1],
];

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export const operationsOf = (document: OpenAPIObject): Operation[] =>
  Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item as unknown as Record<string, DocumentedOperation>)
      .filter(([method]) => methods.includes(method))
      .flatMap(([method, operation]) =>
        [template, ...aliasesOf({ operation })].map((path) => operationOf(document, path, method, operation)),
      ),
  );

const operationOf = (
  document: OpenAPIObject,
  template: string,
  method: string,
  { parameters = [], requestBody }: DocumentedOperation,
): Operation => {
  const name = `${method} ${template}`;
  const contents = requestBody?.content ?? {};
  const body = Object.values(contents)[0]?.schema ?? null;
  return {
    name,
    method: method.toUpperCase(),
    template,
    parameters: parameters.map((parameter) => {
      const known = resolved(document, parameter) as unknown as Parameter;
      return { ...known, schema: known.schema ?? { type: 'string' } };
    }),
    contentTypes: Object.keys(contents),
    body: body && resolved(document, body),
    weight: weights.find(([pattern]) => pattern.test(name))?.[1] ?? 1,
  };
};

/** With what `$ref` points to in its place. */
const resolved = (document: OpenAPIObject, node: unknown, depth = 0): Schema => {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    return resolved(document, value, depth + 1);
  };
  const { $ref: reference, ...rest } = node as { $ref?: unknown };
  if (typeof reference === 'string' && depth < 12) return resolved(document, at(document, reference), depth + 1);
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, resolve(value)]));
};

const at = (document: OpenAPIObject, reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
