import { encoded, type Draft } from './draft.js';
import { type Operation, type Parameter, type Schema } from './operations.js';
import { captured, importedLines, messages, messageTypes, plausible, plausibleTrendsEvents } from './plausible.js';
import { type Random } from './random.js';
import { type Scene } from './scene.js';

/** A request that the operation should take: from its schemas, with ids of the scene. */
export const validDraft = (operation: Operation, random: Random, scene: Scene): Draft => {
  const parameters = operation.parameters.filter(({ in: place }) => place === 'query');
  const chosen = parameters.filter(({ required }) => required || random.chance(Math.min(0.5, 3 / parameters.length)));
  return {
    operation,
    method: operation.method,
    path: pathOf(operation, random, scene),
    query: chosen.flatMap((parameter) => queryOf(operation, parameter, random, scene)),
    headers: headersOf(operation, random, scene),
    body: bodyOf(operation, random, scene),
    faults: [],
    anyRouteMayAnswer: [],
    abandoned: false,
  };
};

/** Changes of a project, and what fills it for ever, go to the spare one. */
const pathOf = ({ name, template }: Operation, random: Random, scene: Scene): string => {
  const spares = /^(patch \/api\/projects\/\{project_id\}$|post .*\/(?:import|rotate_token)$)/.test(name);
  return template
    .replace('{project_id}', String(spares ? scene.spare.id : scene.mine.id))
    .replace(/\{(\w+)\}/g, () => encoded(String(idFor(name, template, random, scene))));
};

const idFor = (name: string, template: string, random: Random, { mine, throwaways }: Scene): string | number => {
  const numberOrUuid = ({ id, uuid }: { id: number; uuid: string }) => (random.chance(0.5) ? id : uuid);
  if (template.startsWith('/v1/')) return random.pick([...messageTypes, 'batch', 'b']);
  if (template.includes('/personal_api_keys/')) return random.pick(throwaways.keys);
  if (/\/(users|members)\//.test(template)) return random.pick(throwaways.users);
  if (/\/(invitations|sessions)\//.test(template)) return random.pick(throwaways.invitations);
  if (template.includes('/events/')) return random.pick(mine.events);
  if (template.includes('/deletion_requests/')) return random.pick(mine.deletionRequests);
  if (template.includes('/actions/')) return random.pick(name.startsWith('get') ? mine.actions : throwaways.actions);
  for (const saved of ['insights', 'dashboards'] as const)
    if (template.includes(`/${saved}/`)) return random.pick(name.startsWith('get') ? mine[saved] : throwaways[saved]);
  if (template.includes('static_cohort') && name.startsWith('patch'))
    return random.pick([...mine.staticCohorts, ...throwaways.cohorts]);
  if (name.startsWith('patch') && template.includes('/cohorts/')) return random.pick(throwaways.cohorts);
  if (template.includes('/cohorts/')) return random.pick([...mine.cohorts, ...mine.staticCohorts]);
  if (name.startsWith('delete') || /\/(?:merge|split)$/.test(template))
    return numberOrUuid(random.pick(throwaways.persons));
  return numberOrUuid(random.pick(mine.persons));
};

const headersOf = (operation: Operation, random: Random, scene: Scene): Record<string, string> => {
  const headers: Record<string, string> = { authorization: `Bearer ${scene.keys.full}` };
  if (operation.contentTypes[0]) headers['content-type'] = operation.contentTypes[0];
  for (const { name, in: place } of operation.parameters)
    if (place === 'header' && random.chance(0.3)) headers[name.toLowerCase()] = `key-${random.integer(0, 1e9)}`;
  return headers;
};

const queryOf = (
  operation: Operation,
  parameter: Parameter,
  random: Random,
  scene: Scene,
): [name: string, value: string][] => {
  const { name, schema } = parameter;
  if (name === 'data' || name === '_') {
    const text = JSON.stringify(sentBy(operation)(random, scene));
    return name === '_' ? [] : [[name, encoded(random.chance(0.5) ? text : Buffer.from(text).toString('base64'))]];
  }
  if (name === 'cursor' || (name === 'format' && random.chance(0.8))) return [];
  const value = valueOf(operation, name, schema, random, scene);
  return [[name, encoded(typeof value === 'string' ? value : JSON.stringify(value))]];
};

const sentBy = ({ template }: Operation) => (template.startsWith('/v1/') ? messages : captured);

const bodyOf = (operation: Operation, random: Random, scene: Scene): Draft['body'] => {
  if (operation.body === null) return { kind: 'none' };
  if (operation.template.endsWith('/import')) return { kind: 'json', value: importedLines(random, scene) };
  if (!operation.template.startsWith('/api')) return { kind: 'json', value: sentBy(operation)(random, scene) };
  return { kind: 'json', value: objectOf(operation, operation.body, random, scene) };
};

const objectOf = (operation: Operation, schema: Schema, random: Random, scene: Scene): Record<string, unknown> => {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const share = Math.min(0.5, 3 / Object.keys(properties).length);
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    if (property.format === 'binary' || name === 'format' || name === 'query') continue;
    if (required.includes(name) || random.chance(share)) made[name] = valueOf(operation, name, property, random, scene);
  }
  return made;
};

/** Names that mean something else where a person or a key of properties is written. */
const setsProperties = /\/(persons\/\{id\})$/;

const valueOf = (operation: Operation, name: string, schema: Schema, random: Random, scene: Scene): unknown => {
  const choices = schema.enum as unknown[] | undefined;
  if (choices) return random.pick(choices);
  if (name === 'events' && operation.template.endsWith('/trends')) return plausibleTrendsEvents(random, scene);
  if (name === 'properties' && setsProperties.test(operation.template))
    return { plan: 'pro', size: random.integer(0, 9) };
  const make = plausible[name];
  if (make) return make(random, scene);
  return ofSchema(schema, random);
};

const ofSchema = (schema: Schema, random: Random): unknown => {
  if ('example' in schema && random.chance(0.7)) return schema.example;
  const forms = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (forms) return ofSchema(random.pick(forms), random);
  if (Array.isArray(schema.enum)) return random.pick(schema.enum as unknown[]);
  switch (Array.isArray(schema.type) ? (schema.type as unknown[])[0] : schema.type) {
    case 'integer':
    case 'number': {
      const [minimum, maximum] = [Number(schema.minimum ?? 0), Number(schema.maximum ?? 100)];
      return random.integer(minimum, Math.min(maximum, minimum + 20));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return [ofSchema((schema.items ?? {}) as Schema, random)];
    case 'object': {
      const properties = (schema.properties ?? {}) as Record<string, Schema>;
      const required = (schema.required ?? []) as string[];
      return Object.fromEntries(required.map((name) => [name, ofSchema(properties[name] ?? {}, random)]));
    }
    case 'null':
      return null;
    default:
      return schema.example ?? 'text';
  }
};
