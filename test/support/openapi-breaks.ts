import { holds, type GrantedScope } from '../../src/kernel/access/scopes.js';
import { acceptedBy } from './accepted.js';

type Json = Readonly<Record<string, unknown>>;

/** A schema, and the document in which its references are found. */
interface Side {
  readonly schema: unknown;
  readonly root: Json;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const objectOf = (node: unknown): Json => (typeof node === 'object' && node !== null ? (node as Json) : {});
const listOf = (node: unknown): readonly unknown[] => (Array.isArray(node) ? (node as unknown[]) : []);
const entriesOf = (node: unknown) =>
  Object.entries(objectOf(node)).map(([key, value]) => [key, objectOf(value)] as const);

const resolved = (schema: unknown, root: Json): Json => {
  const { $ref, ...rest } = objectOf(schema);
  if (typeof $ref !== 'string') return rest;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => objectOf(node)[key], root);
  return { ...resolved(found, root), ...rest };
};

/** The alternatives of a schema, each with one type or none. */
const formsOf = (schema: unknown, root: Json): Json[] => {
  const { anyOf, oneOf, allOf, ...own } = resolved(schema, root);
  if (allOf !== undefined) {
    const parts = listOf(allOf).map((part) => resolved(part, root));
    const properties = Object.assign({}, ...parts.map((part) => part.properties), own.properties) as Json;
    const required = [...parts, own].flatMap((part) => listOf(part.required));
    return formsOf({ ...Object.assign({}, ...parts), ...own, properties, required, anyOf, oneOf }, root);
  }
  const choices = anyOf ?? oneOf;
  if (choices !== undefined)
    return listOf(choices).flatMap((choice) => formsOf({ ...own, ...resolved(choice, root) }, root));
  return Array.isArray(own.type) ? own.type.map((type: unknown) => ({ ...own, type })) : [own];
};

/** Compares what is sent with what its reader knows: requests of old clients with the new service, its answers with old clients. */
class Comparison {
  private readonly known = new Map<string, readonly string[]>();

  constructor(private readonly isAnswer: boolean) {}

  gaps(sent: Side, read: Side, at: string): readonly string[] {
    return this.gapsBelow(sent, read).map((gap) => at + gap);
  }

  private gapsBelow(sent: Side, read: Side): readonly string[] {
    const key = JSON.stringify([sent.schema, read.schema]);
    const known = this.known.get(key);
    if (known) return known;
    // A schema that contains itself is compared once.
    this.known.set(key, []);
    const readers = formsOf(read.schema, read.root);
    const found = formsOf(sent.schema, sent.root).flatMap((form) => {
      const tries = readers.map((reader) => this.formGaps({ ...sent, schema: form }, { ...read, schema: reader }, ''));
      return tries.reduce((best, other) => (other.length < best.length ? other : best));
    });
    this.known.set(key, found);
    return found;
  }

  private formGaps(sent: Side, read: Side, at: string): readonly string[] {
    const [from, to] = [sent.schema as Json, read.schema as Json];
    const isSameType =
      to.type === undefined || from.type === to.type || (from.type === 'integer' && to.type === 'number');
    if (!isSameType) {
      const type = typeof from.type === 'string' ? from.type : 'anything';
      return [this.isAnswer ? `${at} may now be ${type}` : `${at} may no longer be ${type}`];
    }
    const below = (key: string, name: string): readonly string[] =>
      to[key] === undefined || (from[key] === undefined && this.isAnswer)
        ? []
        : this.gaps({ ...sent, schema: from[key] }, { ...read, schema: to[key] }, at + name);
    return [
      ...(this.isAnswer ? [] : limitGaps(from, to, at)),
      ...below('items', '[]'),
      ...below('contentSchema', ''),
      ...this.propertyGaps(sent, read, at),
    ];
  }

  private propertyGaps(sent: Side, read: Side, at: string): readonly string[] {
    const [from, to] = [sent.schema as Json, read.schema as Json];
    const [given, taken] = [objectOf(from.properties), objectOf(to.properties)];
    const rest = to.additionalProperties ?? !('properties' in to);
    const always = new Set(listOf(from.required));
    const missing = listOf(to.required).filter((name) => !always.has(name)) as string[];
    return [
      ...missing.map((name) => (this.isAnswer ? `${at}.${name} may now be missing` : `${at}.${name} is now required`)),
      ...Object.entries(given).flatMap(([name, property]) => {
        const other = taken[name] ?? (typeof rest === 'object' ? rest : undefined);
        if (other !== undefined)
          return this.gaps({ ...sent, schema: property }, { ...read, schema: other }, `${at}.${name}`);
        return this.isAnswer || rest === true ? [] : [`${at}.${name} is no longer accepted`];
      }),
      ...(this.isAnswer ? Object.keys(taken).filter((name) => !(name in given)) : []).map(
        (name) => `${at}.${name} is gone`,
      ),
      ...this.otherGaps(sent, read, at, rest),
    ];
  }

  private otherGaps(sent: Side, read: Side, at: string, rest: unknown): readonly string[] {
    const { additionalProperties: other, type } = sent.schema as Json;
    if (typeof other === 'object' && typeof rest === 'object')
      return this.gaps({ ...sent, schema: other }, { ...read, schema: rest }, `${at}.*`);
    const isOpen = type === 'object' && (other === true || typeof other === 'object');
    return isOpen && rest === false && !this.isAnswer ? [`${at} no longer accepts other keys`] : [];
  }
}

const limitGaps = (from: Json, to: Json, at: string): string[] => {
  const bound = (key: string, isTighter: (old: number, now: number) => boolean): string[] =>
    to[key] !== undefined && (from[key] === undefined || isTighter(Number(from[key]), Number(to[key])))
      ? [`${at} has a tighter ${key}`]
      : [];
  const values = listOf(to.enum);
  const lost = listOf(from.enum).filter((value) => !values.includes(value));
  return [
    ...(to.enum === undefined ? [] : from.enum === undefined ? [`${at} has a list of values now`] : []),
    ...(to.enum === undefined ? [] : lost.map((value) => `${at} no longer accepts ${JSON.stringify(value)}`)),
    ...['maximum', 'maxLength', 'maxItems', 'maxProperties'].flatMap((key) => bound(key, (old, now) => now < old)),
    ...['minimum', 'minLength', 'minItems'].flatMap((key) => bound(key, (old, now) => now > old)),
    ...['pattern', 'format', 'not', 'uniqueItems']
      .filter((key) => to[key] !== undefined && JSON.stringify(to[key]) !== JSON.stringify(from[key]))
      .map((key) => `${at} has a new ${key}`),
  ];
};

const operationsOf = (document: Json): ReadonlyMap<string, Json> =>
  new Map(
    entriesOf(document.paths).flatMap(([path, item]) =>
      entriesOf(item)
        .filter(([method]) => methods.includes(method))
        .flatMap(([method, operation]) =>
          [path, ...(listOf(operation['x-aliases']) as string[])].map(
            (address) => [`${method.toUpperCase()} ${address}`, operation] as const,
          ),
        ),
    ),
  );

/** What a program that was written for the document `old` cannot rely on any more with a service of the document `now`. */
export const breaksBetween = (old: object, now: object): string[] => {
  const [oldRoot, root] = [acceptedBy(old) as Json, acceptedBy(now) as Json];
  const answers = operationsOf(old as Json);
  const [requests, answersNow, requestsNow] = [operationsOf(oldRoot), operationsOf(now as Json), operationsOf(root)];
  const [ofRequests, ofAnswers] = [new Comparison(false), new Comparison(true)];
  const roots = { old: { requests: oldRoot, answers: old as Json }, now: { requests: root, answers: now as Json } };
  const found = [...answers].flatMap(([name, answer]) => {
    const [request, answerNow, requestNow] = [requests.get(name), answersNow.get(name), requestsNow.get(name)];
    if (!request || !answerNow || !requestNow) return [`${name} is gone`];
    const taken = requestBreaks(request, requestNow, [roots.old.requests, roots.now.requests], ofRequests);
    const given = answerBreaks(answer, answerNow, [roots.old.answers, roots.now.answers], ofAnswers);
    return [...namesAndScopes(answer, answerNow), ...taken, ...given].map((gap) => `${name} ${gap}`);
  });
  return [...new Set(found)];
};

const namesAndScopes = (old: Json, now: Json): string[] => {
  const had = listOf(old['x-required-scopes']) as readonly GrantedScope[];
  const added = (listOf(now['x-required-scopes']) as readonly GrantedScope[]).filter((scope) => !holds(had, scope));
  const isRenamed = old.operationId !== now.operationId;
  return [
    ...(isRenamed ? [`is called ${String(now.operationId)} in generated clients now`] : []),
    ...added.map((scope) => `needs the scope ${String(scope)} now`),
  ];
};

const requestBreaks = (old: Json, now: Json, [oldRoot, root]: [Json, Json], comparison: Comparison): string[] => {
  const named = (operation: Json, document: Json) =>
    new Map(
      listOf(operation.parameters)
        .map((parameter) => resolved(parameter, document))
        .map((parameter) => [`${String(parameter.in)} ${String(parameter.name)}`, parameter] as const),
    );
  const [had, has] = [named(old, oldRoot), named(now, root)];
  const required = [...has].filter(([name, { required }]) => required === true && had.get(name)?.required !== true);
  const [body, bodyNow] = [resolved(old.requestBody, oldRoot), resolved(now.requestBody, root)];
  return [
    ...required.map(([name]) => `${name} is now required`),
    ...[...had].flatMap(([name, parameter]) => {
      const other = has.get(name);
      if (!other) return [`${name} is no longer accepted`];
      return comparison.gaps({ schema: parameter.schema, root: oldRoot }, { schema: other.schema, root }, name);
    }),
    ...(bodyNow.required === true && body.required !== true ? ['body is now required'] : []),
    ...(Number(bodyNow['x-max-bytes']) < Number(body['x-max-bytes']) ? ['body may be less large'] : []),
    ...entriesOf(body.content).flatMap(([type, { schema }]) => {
      const other = objectOf(bodyNow.content)[type];
      if (!other) return [`body may no longer be ${type}`];
      return comparison.gaps({ schema, root: oldRoot }, { schema: objectOf(other).schema, root }, 'body');
    }),
  ];
};

const answerBreaks = (old: Json, now: Json, [oldRoot, root]: [Json, Json], comparison: Comparison): string[] =>
  entriesOf(old.responses).flatMap(([status, response]) => {
    const other = objectOf(now.responses)[status];
    // A fault that cannot happen any more breaks no program.
    if (!other) return /^[23]/.test(status) ? [`${status} is gone`] : [];
    const { content } = resolved(other, root);
    return entriesOf(resolved(response, oldRoot).content).flatMap(([type, { schema }]) => {
      const sent = objectOf(content)[type];
      if (!sent) return [`${status} ${type} is gone`];
      return comparison.gaps({ schema: objectOf(sent).schema, root }, { schema, root: oldRoot }, status);
    });
  });

const notCompared = new Set(['description', 'summary', 'example', 'examples', 'externalDocs']);
const namesBelow = new Set(['properties', 'schemas', 'paths', 'responses', 'parameters', 'headers']);

/** The document without texts for people, a tenth of its size. */
export const withoutTexts = (node: unknown, isNames = false): unknown => {
  if (Array.isArray(node)) return node.map((item) => withoutTexts(item));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => isNames || !notCompared.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutTexts(value, !isNames && namesBelow.has(key) && !Array.isArray(value))]),
  );
};
