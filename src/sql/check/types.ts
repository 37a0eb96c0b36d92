import { fault, quoted, type SourcePosition } from '../fault.js';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { type DataType } from '../tree.js';
import { isNode, nodesOf, variantOf } from './node.js';

const integers = [8, 16, 32, 64, 128, 256].flatMap((bits) => [`Int${bits}`, `UInt${bits}`]);

/** Types without arguments, by the names that the parser and users give them. */
const plainTypes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(integers.map((name) => [name.toLowerCase(), name])),
  float32: 'Float32',
  float64: 'Float64',
  string: 'String',
  date: 'Date',
  date32: 'Date32',
  datetime: 'DateTime',
  bool: 'Bool',
  uuid: 'UUID',
  // Names of types in other databases.
  boolean: 'Bool',
  tinyint: 'Int8',
  smallint: 'Int16',
  int: 'Int32',
  integer: 'Int32',
  bigint: 'Int64',
  float: 'Float64',
  real: 'Float32',
  double: 'Float64',
  doubleprecision: 'Float64',
  text: 'String',
  varchar: 'String',
  char: 'String',
  timestamp: 'DateTime',
};

const zoneName = /^[A-Za-z0-9_+/-]{1,60}$/;

/** Writes the type of a cast from our own names of types, so that no unchecked text of the caller reaches the engine. */
export const readType = (node: unknown, at: SourcePosition): DataType => {
  const { name, content } = variantOf(node);
  const kind = name.toLowerCase();
  switch (kind) {
    case 'nullable':
      return { name: `Nullable(${readType(content, at).name})`, canBeNull: false };
    case 'lowcardinality':
      return { name: `LowCardinality(${readType(content, at).name})`, canBeNull: false };
    case 'array':
      return { name: `Array(${readType(elementOf(content), at).name})`, canBeNull: false };
    case 'map': {
      const [key, value] = nodesOf(content);
      return { name: `Map(${readType(key, at).name}, ${readType(value, at).name})`, canBeNull: false };
    }
    case 'tuple':
      return {
        name: `Tuple(${nodesOf(content)
          .map((field) => fieldType(field, at))
          .join(', ')})`,
        canBeNull: false,
      };
    case 'fixedstring':
      return { name: `FixedString(${whole(content, 1, 1000, at)})`, canBeNull: true };
    case 'datetime64':
      return { name: dateTime64(nodesOf(content), at), canBeNull: true };
    case 'decimal':
    case 'numeric':
      return { name: decimal(content, at), canBeNull: true };
    case 'custom':
      return custom(content, at);
    default:
      return plain(kind, at);
  }
};

/** Drops a length, such as that of varchar(20), because ClickHouse ignores it. */
const plain = (kind: string, at: SourcePosition): DataType => {
  const name = plainTypes[kind];
  if (name === undefined) throw unknownType(kind, at);
  return { name, canBeNull: true };
};

/** Reads a type that the parser does not know and therefore calls `custom`. */
const custom = (content: unknown, at: SourcePosition): DataType => {
  const [names, args] = nodesOf(content);
  const [only, ...more] = nodesOf(names);
  const value = isNode(variantOf(only).content) ? (variantOf(only).content as { value?: unknown }).value : '';
  const name = String(value);
  const known = plainTypes[name.toLowerCase()];
  if (known === undefined || more.length > 0 || nodesOf(args).length > 0) throw unknownType(name, at);
  return { name: known, canBeNull: true };
};

const unknownType = (name: string, at: SourcePosition) => {
  const nearest = nearestName(name, Object.keys(plainTypes));
  const hint =
    nearest === null
      ? 'use String, Int64, Float64, Bool, Date, DateTime, UUID, Nullable(…) or Array(…)'
      : `did you mean ${plainTypes[nearest]}?`;
  return fault(`${quoted(name)} is not a type that is known here: ${hint}`, at);
};

const elementOf = (content: unknown): unknown => {
  const { name, content: element } = variantOf(content);
  return ['Parenthesis', 'AngleBracket', 'SquareBracket'].includes(name)
    ? Array.isArray(element)
      ? element[0]
      : element
    : content;
};

const fieldType = (field: unknown, at: SourcePosition): string => {
  if (!isNode(field)) throw unknownType('Tuple', at);
  const { field_name: name, field_type: type } = field;
  if (name !== undefined && name !== null)
    throw fault('The fields of a Tuple have no names here: write Tuple(String, Int64)', at);
  return readType(type, at).name;
};

const whole = (value: unknown, least: number, most: number, at: SourcePosition): number => {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw fault(`The number in a type must be an integer from ${least} to ${most}`, at);
};

const zone = (name: string, at: SourcePosition): string => {
  if (!zoneName.test(name)) throw fault(`${quoted(name)} is not the name of a time zone, such as Europe/Berlin`, at);
  return `'${name}'`;
};

const dateTime64 = ([precision, name]: readonly unknown[], at: SourcePosition): string => {
  const digits = whole(precision ?? 3, 0, 9, at);
  return typeof name === 'string' ? `DateTime64(${digits}, ${zone(name, at)})` : `DateTime64(${digits})`;
};

const decimal = (content: unknown, at: SourcePosition): string => {
  const { name, content: numbers } = variantOf(content);
  const [precision, scale] =
    name === 'PrecisionAndScale' ? nodesOf(numbers) : name === 'Precision' ? [numbers, 0] : [18, 4];
  return `Decimal(${whole(precision, 1, 76, at)}, ${whole(scale, 0, 76, at)})`;
};
