import { unknownName } from '../../platform/errors/nearest-name.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type Fields, requireList, requireObject } from '../../platform/fields/values.js';
import { isOff } from './off.js';
import { type Translation } from './translation.js';
import { type Unwritten, writeAll } from './unwritten.js';

/** The ways in which a field of a node is treated. */
export type FieldFate = 'works' | 'no effect' | 'refused';

type ReadNodeField = (value: unknown, attr: string, into: Translation) => void;

/** Returns the value of the field in the node that stands for a question; undefined if the node needs none. */
type WriteNodeField = (from: Unwritten) => unknown;

/** A field of a node: the reader uses the declaration, and the table in the documents is made from it. */
export interface NodeField {
  readonly fate: FieldFate;
  /** How it differs, or why it has no effect or is refused. */
  readonly note: string;
  readonly read: ReadNodeField;
  readonly write?: WriteNodeField;
}

export type NodeShape = Readonly<Record<string, NodeField>>;

const nothing: ReadNodeField = () => undefined;

export const works = (read: ReadNodeField = nothing, note = '', write?: WriteNodeField): NodeField => ({
  fate: 'works',
  note,
  read,
  ...(write && { write }),
});

/** The value is that of a parameter of our own question, whose reader checks it. */
export const becomes = (parameter: string, note = ''): NodeField =>
  works(
    (value, attr, into) => into.set(parameter, value, attr),
    note,
    (from) => from.take(parameter),
  );

/** The value is about the presentation of an answer, which is the work of the client. */
export const presentation: NodeField = { fate: 'no effect', note: '', read: nothing };

export const withoutEffect = (note: string): NodeField => ({ fate: 'no effect', note, read: nothing });

/** `same` are further values that mean what happens here anyway. */
export const refused = (note: string, same: readonly unknown[] = []): NodeField => ({
  fate: 'refused',
  note,
  read: (value, attr) => {
    if (isOff(value) || same.includes(value)) return;
    throw invalidInput(`${attr} is not supported: ${note}`, attr);
  },
});

/** An object whose fields are declared, too. */
export const objectOf = (fields: NodeShape): NodeField =>
  works(
    (value, attr, into) => readNodeFields(fields, value, attr, into),
    '',
    (from) => {
      const written = writeNodeFields(fields, from);
      return isOff(written) ? undefined : written;
    },
  );

/** An object that becomes a parameter, whose fields are declared, too. */
export const objectIn = (parameter: string, fields: NodeShape): NodeField =>
  works(
    (value, attr, into) => {
      const object = into.inside(parameter);
      readNodeFields(fields, value, attr, object);
      into.set(parameter, object.params, attr);
    },
    '',
    (from) => writeInside(from.take(parameter), (inside) => writeNodeFields(fields, inside)),
  );

/** A list of objects whose fields are declared, too; it becomes a parameter. */
export const listOfObjects = (parameter: string, fields: NodeShape, atMost: number): NodeField =>
  works(
    (value, attr, into) => {
      const list = requireList(value, attr, atMost).map((one, at) => {
        const each = into.inside(`${parameter}.${at}`);
        readNodeFields(fields, one, `${attr}.${at}`, each);
        return each.params;
      });
      into.set(parameter, list, attr);
    },
    '',
    (from) => writeList(from.takeList(parameter), (one) => writeNodeFields(fields, one)),
  );

/** Older versions of the schema spell some fields with underscores: `smoothing_intervals`. */
const newSpelling = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Reads the fields of a node in the order of their declarations, because some depend on others. Null means that a field is
 * missing. Refuses a field that is not declared.
 */
export const readNodeFields = (fields: NodeShape, value: unknown, attr: string, into: Translation): void => {
  const sent = new Map<string, { readonly key: string; readonly value: unknown }>();
  for (const [key, one] of Object.entries(requireObject(value, attr))) {
    const name = Object.hasOwn(fields, key) ? key : newSpelling(key);
    if (!Object.hasOwn(fields, name)) throw unknownName(key, Object.keys(fields), [attr]);
    if (one !== null && one !== undefined) sent.set(name, { key, value: one });
  }
  for (const [name, field] of Object.entries(fields)) {
    const found = sent.get(name);
    if (found) field.read(found.value, `${attr}.${found.key}`, into);
  }
};

/** The fields that a node gets from the parameters of a question. */
export const writeNodeFields = (fields: NodeShape, from: Unwritten): Fields => {
  const written: Record<string, unknown> = {};
  for (const [name, { write }] of Object.entries(fields)) {
    const value = write?.(from);
    if (value !== undefined) written[name] = value;
  }
  return written;
};

/** Writes an object inside of a question; undefined if the question has none. */
export const writeInside = (value: unknown, write: (from: Unwritten) => Fields): Fields | undefined =>
  value === undefined ? undefined : writeAll(value, write);

/** Writes the objects of a list; undefined if there are none. */
export const writeList = (
  list: readonly unknown[],
  write: (from: Unwritten, at: number) => Fields,
): readonly Fields[] | undefined =>
  list.length === 0 ? undefined : list.map((one, at) => writeAll(one, (from) => write(from, at)));
