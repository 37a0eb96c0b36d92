import { type ApiPropertyOptions, type ApiQueryOptions } from '@nestjs/swagger';

type Described = NonNullable<Extract<ApiQueryOptions, { schema: unknown }>['schema']>;

/**
 * Keywords that JSON Schema does not have, for forms that are accepted but should not be part of the type. Generated clients
 * write the main form of a value, and the tests accept the other forms, too.
 */
interface OtherForms {
  /** Other forms of the same value: an old one, or text for a number. */
  readonly 'x-also-accepts'?: Schema;
  /** Keys that have no effect. */
  readonly 'x-ignored'?: readonly string[];
  /** The keys for which null means that the key is missing: the described ones, or all keys. */
  readonly 'x-null-is-absent'?: 'described' | 'all';
}

/** Keywords of a text that contains JSON. */
interface Content {
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema;
}

/** A schema of the API document. */
export type Schema = Described & OtherForms & Content;

export type Schemas = Readonly<Record<string, Schema>>;

/** Refers to a schema of the document by its name. */
export const schemaNamed = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const listSchema = (items: Schema, maxItems?: number): Schema => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
});

/** JSON as the text of a parameter. */
export const jsonTextSchema = (contentSchema: Schema): Schema => ({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema,
});

/** Accepts other forms of the same value: an old one, or text for a number. */
export const orElse = (schema: Schema, others: Schema): Schema => ({ ...schema, 'x-also-accepts': others });

export const orText = (schema: Schema): Schema => orElse(schema, { type: 'string' });

export const ignoring = (schema: Schema, keys: readonly string[]): Schema => ({ ...schema, 'x-ignored': keys });

interface RecordSchema {
  readonly description?: string;
  readonly required: readonly string[];
  readonly ignored: readonly string[];
  readonly nullIsAbsent: 'described' | 'all';
}

/** An object that has no other keys than these. */
export const recordSchema = (
  properties: Schemas,
  { description, required, ignored, nullIsAbsent }: RecordSchema,
): Schema => ({
  type: 'object',
  ...(description === undefined ? {} : { description }),
  properties,
  ...(required.length > 0 && { required: [...required] }),
  additionalProperties: false,
  ...(ignored.length > 0 && { 'x-ignored': ignored }),
  'x-null-is-absent': nullIsAbsent,
});

/** A number that may be written as text. */
export const integerSchema = (minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
  'x-also-accepts': { type: 'string', pattern: String.raw`^\s*-?\d{1,15}\s*$` },
});

export const booleanSchema: Schema = {
  type: 'boolean',
  'x-also-accepts': { type: 'string', pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|[01])$' },
};

/** The schema of a DTO's property, where `required` says if the property is: the schema's own `required` must be wrapped. */
export const asProperty = (
  schema: Schema,
  doc: {
    readonly description?: string;
    readonly example: unknown;
    readonly nullable?: boolean;
    readonly default?: unknown;
  },
): ApiPropertyOptions =>
  ({ ...('$ref' in schema || schema.required ? { allOf: [schema] } : schema), ...doc }) as ApiPropertyOptions;
