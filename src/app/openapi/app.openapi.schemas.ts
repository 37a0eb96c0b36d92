import { type OpenAPIObject } from '@nestjs/swagger';
import { analyticsSchemas } from '../../analytics/analytics.openapi.js';
import { legacyGroupSchemas } from '../../cohorts/definition/legacy-groups.js';
import { definitionSchemas } from '../../cohorts/definition/read-definition.js';
import { querySchemas } from '../../sql/ask/query-input.js';
import { type Schemas } from '../../platform/fields/schema.js';
import { captureSchemas } from '../../events/capture/capture-body.openapi.js';
import { segmentSchemas } from '../../events/segment/segment.openapi.js';
import { flagSchemas } from '../../flags/definition/read-rules.js';
import { filterSchemas } from '../../filters/reading/filter-fields.js';

type Json = Readonly<Record<string, unknown>>;

/** Schemas written by hand, for input that no DTO describes. The schemas of DTOs come from their decorators. */
const written: Schemas = {
  ...filterSchemas,
  ...flagSchemas,
  ...definitionSchemas,
  ...legacyGroupSchemas,
  ...querySchemas,
  ...analyticsSchemas,
  ...captureSchemas,
  ...segmentSchemas,
};

/** The schemas that no decorator makes, in the words of OpenAPI 3.1. */
export const modernSchemas = (): Json => modern(written, true) as Json;

/** Adds the schemas that something refers to, and rewrites the document in the words of OpenAPI 3.1. */
export const withSchemas = (document: OpenAPIObject): OpenAPIObject => {
  const { schemas = {}, ...components } = document.components ?? {};
  const all = { ...schemas, ...written } as Readonly<Record<string, Json>>;
  const used = referred({ paths: document.paths, components }, all);
  const remaining = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return modern({
    ...document,
    components: { ...components, schemas: describedDefaults(remaining, true) },
  }) as OpenAPIObject;
};

const referred = (root: unknown, schemas: Readonly<Record<string, Json>>): ReadonlySet<string> => {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const name = nameOf((node as Json).$ref);
    if (name !== null && !found.has(name)) {
      found.add(name);
      walk(schemas[name]);
    }
    Object.values(node).forEach(walk);
  };
  walk(root);
  return found;
};

const nameOf = (reference: unknown): string | null =>
  typeof reference === 'string' ? (/^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1] ?? null) : null;

/** Keywords that hold an object whose keys are names, not keywords. */
const ofNames = ['properties', 'schemas', 'paths', 'parameters', 'responses', 'examples'];

/** Keywords that hold a value, not a schema. */
const ofValues = ['example', 'default', 'enum', 'value'];

/**
 * Moves each default into the description. Type generators often require a field that has a `default`, because answers always
 * have it; a body may lack it.
 */
const describedDefaults = (node: unknown, isNames = false): unknown => {
  if (Array.isArray(node)) return node.map((item) => describedDefaults(item));
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      !isNames && ofValues.includes(key)
        ? (value as unknown)
        : describedDefaults(value, !isNames && ofNames.includes(key)),
    ]),
  ) as Json;
  if (isNames || schema.default === undefined) return schema;
  const { default: fallback, description, ...rest } = schema;
  const sentence = `Default: \`${JSON.stringify(fallback)}\`.`;
  return { ...rest, description: [description, sentence].filter(Boolean).join(' '), 'x-default': fallback };
};

/** Rewrites `nullable`, a keyword of OpenAPI 3.0, in the words of OpenAPI 3.1. */
const modern = (node: unknown, isNames = false): unknown => {
  if (Array.isArray(node)) return node.map((item) => modern(item));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node as Json).map(([key, value]) => [
    key,
    !isNames && ofValues.includes(key) ? value : modern(value, !isNames && ofNames.includes(key)),
  ]);
  const { nullable, ...rest } = Object.fromEntries(entries) as Json;
  if (isNames) return Object.fromEntries(entries) as Json;
  return nullable === true ? orNull(rest) : withoutWrapper(rest);
};

/** In OpenAPI 3.0 only `allOf` lets a reference have a description of its own; Nest takes `required` for that of the property. */
const withoutWrapper = (schema: Json): Json => {
  const { allOf, ...rest } = schema;
  const [only, ...others] = (Array.isArray(allOf) ? allOf : []) as readonly Json[];
  return only && others.length === 0 && !('type' in rest) ? { ...only, ...rest } : schema;
};

const isNull = { type: 'null' };

const orNull = (schema: Json): Json => {
  const { type, enum: choices, allOf, oneOf, anyOf, ...rest } = schema;
  if (Array.isArray(choices)) {
    const others = (choices as unknown[]).filter((choice) => choice !== null);
    return others.length === 0 ? { ...rest, ...isNull } : { ...rest, anyOf: [{ type, enum: others }, isNull] };
  }
  const forms = (anyOf ?? oneOf ?? allOf) as readonly unknown[] | undefined;
  return forms ? { ...rest, anyOf: [...forms, isNull] } : { ...schema, type: [type, 'null'] };
};
