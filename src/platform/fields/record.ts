import { propertySchemas, type Doc, type Field, type Parameters } from './declaration.js';
import { assertOnlyKeys, requireObject, type Fields } from './fields.js';
import { recordSchema, type Schema } from './schema.js';

type ReadOf<F> = F extends { readonly read: (...args: never) => infer T } ? T : never;
type ContextOf<F> = F extends Field<unknown, infer Context> ? Context : never;

/** Reads one field of an object by its name. */
type ReadField<Declared extends Parameters> = <Name extends keyof Declared & string>(
  name: Name,
  ...context: ContextOf<Declared[Name]>
) => ReadOf<Declared[Name]>;

interface RecordDoc extends Doc<never> {
  /** Completes the refusal of an unknown key, such as "a group has type and values". */
  readonly rule?: string;
  /** Keys that are accepted and have no effect. */
  readonly ignored?: readonly string[];
  /** Keys that are accepted only with the value null, and have no effect. */
  readonly ignoredNulls?: readonly string[];
  /** The keys for which null means that the key is missing: the declared ones, or all keys. */
  readonly nullIsAbsent?: 'described' | 'all';
}

export interface RecordField<Declared extends Parameters> {
  readonly schema: Schema;
  /** Refuses a value that is no object of these keys. The returned function reads one field, as fields may depend on others. */
  readonly reader: (value: unknown, attr: string) => ReadField<Declared>;
}

export const fieldReader =
  <const Declared extends Parameters>(fields: Declared, sent: Fields, attr: string): ReadField<Declared> =>
  (name, ...context) => {
    const declared = fields[name] as unknown as Field<never, readonly unknown[]>;
    return declared.read(sent[name], `${attr}.${name}`, ...context);
  };

/** An object that has only the declared keys. */
export const record = <const Declared extends Parameters>(fields: Declared, doc: RecordDoc): RecordField<Declared> => {
  const { description, rule, ignored = [], ignoredNulls = [], nullIsAbsent = 'described' } = doc;
  const known = Object.keys(fields);
  return {
    schema: recordSchema(propertySchemas(fields), {
      description,
      required: known.filter((name) => fields[name]?.required),
      ignored: [...ignored, ...ignoredNulls],
      nullIsAbsent,
    }),
    reader: (value, attr) => {
      const sent = requireObject(value, attr);
      assertOnlyKeys(sent, attr, {
        known,
        rule,
        isIgnored: (key, one) =>
          ignored.includes(key) || (one === null && (nullIsAbsent === 'all' || ignoredNulls.includes(key))),
      });
      return fieldReader(fields, sent, attr);
    },
  };
};

type ObjectOf<Declared extends Parameters> = { readonly [Name in keyof Declared]: ReadOf<Declared[Name]> };

/** A parameter that is an object of several values. If it is missing, each value is its fallback. */
export const parts = <const Declared extends Readonly<Record<string, Field<unknown>>>>(
  fields: Declared,
  { description, example }: { readonly description: string; readonly example?: unknown },
): Field<ObjectOf<Declared>> => {
  const { schema, reader } = record(fields, {});
  return {
    ...{ description, example, schema, json: true },
    read: (value, attr) => {
      const read = reader(value ?? {}, attr);
      const none = [] as unknown as ContextOf<Declared[string]>;
      return Object.fromEntries(Object.keys(fields).map((name) => [name, read(name, ...none)])) as ObjectOf<Declared>;
    },
  };
};
