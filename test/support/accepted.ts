type Json = Record<string, unknown>;

const anything = {};

/**
 * The inputs and answers of the service, by the schemas of the document: a schema that lists properties means these and no
 * others, and `x-also-accepts`, `x-ignored` and `x-null-is-absent` name the forms that have no type of their own.
 */
export const acceptedBy = <T>(node: T): T => {
  if (Array.isArray(node)) return node.map(acceptedBy) as T;
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, acceptedBy(value as unknown)]));
  return withOtherForms(closed(schema)) as T;
};

const closed = (schema: Json): Json => {
  if (!('properties' in schema) || schema.type !== 'object' || (schema.additionalProperties ?? false) !== false)
    return schema;
  const ignored = (schema['x-ignored'] ?? []) as readonly string[];
  const mayBeNull = 'x-null-is-absent' in schema;
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries(schema.properties as Json).map(([name, property]) => [
    name,
    mayBeNull && !required.includes(name) ? { anyOf: [property, { type: 'null' }] } : property,
  ]);
  return {
    ...schema,
    properties: { ...Object.fromEntries(ignored.map((name) => [name, anything])), ...Object.fromEntries(properties) },
    additionalProperties: schema['x-null-is-absent'] === 'all' ? { type: 'null' } : false,
  };
};

const withOtherForms = (schema: Json): Json => {
  const { 'x-also-accepts': other, ...own } = schema;
  return other === undefined ? schema : { anyOf: [own, other] };
};
