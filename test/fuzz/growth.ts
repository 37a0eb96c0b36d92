import { encoded } from './draft.js';
import { type Operation } from './operations.js';
import { Random } from './random.js';
import { type Scene } from './scene.js';
import { validDraft } from './valid.js';

/** A place of a request that is filled with more and more. */
export interface Grown {
  readonly name: string;
  readonly method: string;
  readonly contentType: string | null;
  readonly isQuery: boolean;
  /** The request with about so many bytes in that place. */
  readonly request: (bytes: number) => { readonly path: string; readonly body: string | null };
}

/** A JSON text of about so many bytes. */
type Shape = (bytes: number) => string;

const listOf =
  (element: string | ((n: number) => string)): Shape =>
  (bytes) => {
    const of = typeof element === 'string' ? () => element : element;
    return `[${Array.from({ length: Math.max(1, Math.floor(bytes / (of(1).length + 1))) }, (_, n) => of(n)).join(',')}]`;
  };

const leaf = '{"type":"person","key":"a","value":"x"}';

const shapes: Readonly<Record<string, Shape>> = {
  'digits and a letter': (bytes) => JSON.stringify(`${'1'.repeat(bytes)}x`),
  underscores: (bytes) => JSON.stringify(`${'_'.repeat(bytes)}!`),
  'open parentheses': (bytes) => JSON.stringify('('.repeat(bytes)),
  commas: (bytes) => JSON.stringify('a,'.repeat(bytes / 2)),
  spaces: (bytes) => JSON.stringify(`a${' '.repeat(bytes)}b`),
  'a list of numbers': listOf('1'),
  'a list of different texts': listOf((n) => `"v${n}"`),
  'a list of empty lists': listOf('[]'),
  'an object of many keys': (bytes) =>
    `{${Array.from({ length: Math.max(1, Math.floor(bytes / 10)) }, (_, n) => `"k${n}":0`).join(',')}}`,
  'levels of lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'levels of objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(Math.floor(bytes / 6))}`,
  'a list of filters': listOf(leaf),
  'a filter of many values': (bytes) => `[{"key":"a","value":${listOf((n) => `"v${n}"`)(bytes)}}]`,
  'a filter of many patterns': (bytes) =>
    `[{"key":"a","operator":"regex","value":${listOf((n) => `"^v${n}"`)(bytes)}}]`,
  'a filter with a long number': (bytes) => `[{"key":"a","operator":"gt","value":"${'1'.repeat(bytes)}x"}]`,
  'a filter with a long key': (bytes) => `{"${'_'.repeat(bytes)}!":1}`,
  'groups in groups': (bytes) => `${'{"type":"AND","values":['.repeat(bytes / 26)}${leaf}${']}'.repeat(bytes / 26)}`,
  'a list of events': listOf('{"id":"paid"}'),
  'an event of many parts': (bytes) => `[{"name":"n","any_of":${listOf('{"id":"paid"}')(bytes)}}]`,
};

/** Every query parameter and every field of every body, each filled with each shape. */
export const placesOf = (operations: readonly Operation[], scene: Scene): Grown[] =>
  operations.flatMap((operation) => [...queriesOf(operation, scene), ...fieldsOf(operation, scene)]);

const baseOf = (operation: Operation, scene: Scene) => validDraft(operation, new Random(1, 1), scene);

const queriesOf = (operation: Operation, scene: Scene): Grown[] =>
  operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) =>
      Object.entries(shapes).map(([shape, make]) => ({
        name: `${operation.name} ?${name}= ${shape}`,
        method: operation.method,
        contentType: operation.contentTypes[0] ?? null,
        isQuery: true,
        request: (bytes: number) => {
          const json = make(bytes);
          const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
          const body = operation.body ? '{}' : null;
          return { path: `${baseOf(operation, scene).path}?${name}=${inQuery(text)}`, body };
        },
      })),
    );

/** Left as short as the request line allows, so that as much as possible fits. */
const inQuery = (text: string): string =>
  encoded(text).replace(/%(22|2C|3A|5B|5D|7B|7D)/g, (code) => decodeURIComponent(code));

const fieldsOf = (operation: Operation, scene: Scene): Grown[] => {
  if (operation.body === null || operation.contentTypes[0] !== 'application/json') return [];
  const fields = Object.keys(operation.body.properties ?? {});
  return [...fields, 'unknown_field'].flatMap((field) =>
    Object.entries(shapes).map(([shape, make]) => ({
      name: `${operation.name} ${field}: ${shape}`,
      method: operation.method,
      contentType: 'application/json',
      isQuery: false,
      request: (bytes: number) => {
        const base = bodyOf(operation, scene);
        delete base[field];
        const rest = JSON.stringify(base).slice(1);
        return {
          path: baseOf(operation, scene).path,
          body: `{${JSON.stringify(field)}:${make(bytes)}${rest === '}' ? '' : ','}${rest}`,
        };
      },
    })),
  );
};

/** What is required, and nothing that would make the field's own cost hard to see. */
const bodyOf = (operation: Operation, scene: Scene): Record<string, unknown> => {
  const { body } = baseOf(operation, scene);
  const whole = body.kind === 'json' && !Array.isArray(body.value) ? (body.value as Record<string, unknown>) : {};
  const required = (operation.body?.required ?? []) as string[];
  return Object.fromEntries(Object.entries(whole).filter(([name]) => required.includes(name)));
};

export interface Step {
  readonly bytes: number;
  /** Of the main thread, for the whole request. */
  readonly cpuMs: number;
}

/** Below this a difference says nothing. */
const noiseMs = 10;

/** Where twice the input cost more than three times as much, twice in a row; null where cost grows as the input does. */
export const growsFaster = (steps: readonly Step[]): string | null => {
  const ratios = steps.slice(1).map(({ bytes, cpuMs }, at) => {
    const before = steps[at] ?? { bytes, cpuMs };
    // As for a doubling, where the input grew by more than that.
    return before.cpuMs > noiseMs ? (2 * (cpuMs / before.cpuMs)) / (bytes / before.bytes) : 0;
  });
  const at = ratios.findIndex((ratio, n) => ratio > 3 && (ratios[n + 1] ?? 0) > 3);
  if (at < 0) return null;
  return steps
    .slice(at, at + 3)
    .map(({ bytes, cpuMs }) => `${bytes} bytes ${Math.round(cpuMs)} ms`)
    .join(', ');
};
