import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { type Request } from 'express';
import { problemResponses } from './app.openapi.problems.js';
import { withSchemas } from './app.openapi.schemas.js';
import { guidePath, guides, tags } from '../documents/app.guides.js';
import { sessionCookieName } from '../../auth/sessions/session-cookie.js';
import { ProblemDto } from '../../platform/errors/problem.dto.js';
import { sizeText } from '../../platform/http/body-limit.js';
import { originOf } from '../../platform/http/origin.js';
import { Config } from '../../platform/config/config.js';
import { serviceVersion } from '../../platform/config/version.js';
import { Routes, type Route } from '../../kernel/access/routes.js';
import {
  idempotencyConflict,
  idempotencyKeyHeader,
  idempotencyKeyParameter,
} from '../../kernel/idempotency/idempotency-parameter.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const guideLinks = Object.entries(guides).map(([title, name]) => `[${title}](${guidePath(name)})`);

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

const sessionScheme =
  'The session of a signed-in user: the cookie that `POST /api/sessions` sets. Requests that change something need ' +
  '`Sec-Fetch-Site: same-origin` or an `Origin` with the host of the service, as browsers send them.';

/** Builds the document of `/openapi.json` from the decorators, and adds what follows from the access rules. */
export const openApiDocument = (app: INestApplication): OpenAPIObject => {
  const { console: hasSessions } = app.get(Config);
  const builder = new DocumentBuilder().addBearerAuth(
    { type: 'http', scheme: 'bearer', description: 'A personal API key: `phx_…`' },
    'personalApiKey',
  );
  if (hasSessions)
    builder.addCookieAuth(sessionCookieName, { type: 'apiKey', in: 'cookie', description: sessionScheme }, 'session');
  const document = SwaggerModule.createDocument(
    app,
    builder
      .setTitle('Kohort')
      .setDescription(
        'Persons, cohorts and insights about them. Press Authorize and paste a personal API key (`phx_…`); a first start prints one.\n\n' +
          '`/api/environments/…` is another address of `/api/projects/…`, which clients of PostHog use.\n\n' +
          `Guides with data and answers: ${guideLinks.join(', ')}.`,
      )
      .setVersion(serviceVersion())
      .setLicense('MIT', 'https://opensource.org/license/mit')
      .setOpenAPIVersion('3.1.0')
      .addServer('/', 'This service')
      .build(),
    { extraModels: [ProblemDto] },
  );
  const routes = new Map(
    app
      .get(Routes)
      .all()
      .map((route) => [`${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`, route]),
  );
  const described = new Map<string, Operation>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const route = routes.get(`${method.toUpperCase()} ${path}`);
      const handler = `${route?.controller}.${route?.handler}`;
      const first = described.get(handler);
      if (first) {
        addAlias(first, path);
        delete item[method];
        if (!methods.some((other) => item[other])) delete document.paths[path];
        continue;
      }
      described.set(handler, operation);
      complete(operation, { method, path }, route, hasSessions);
    }
  }
  document.tags = tags;
  for (const operation of described.values()) describeAliases(operation);
  document.components = {
    ...document.components,
    responses: { ...problemResponses(), ...document.components?.responses },
    parameters: { [keyParameter]: idempotencyKeyParameter, ...document.components?.parameters },
  };
  return withSchemas(document);
};

/** The document with the address at which the client reached the service. */
export const servedDocument = (request: Request, document: OpenAPIObject): OpenAPIObject => ({
  ...document,
  servers: [{ url: originOf(request), description: 'This service' }],
});

/** A handler may serve several paths: its operation is documented under the first, and lists the others. */
interface Aliased {
  'x-aliases'?: string[];
}

const addAlias = (operation: Operation & Aliased, path: string): void => {
  (operation['x-aliases'] ??= []).push(path);
};

const describeAliases = (operation: Operation & Aliased): void => {
  const aliases = operation['x-aliases']?.map((path) => `\`${path}\``).join(', ');
  if (aliases) operation.description = [operation.description, `The same as ${aliases}.`].filter(Boolean).join('\n\n');
};

/** No decorator describes this parameter, because the guard reads it and no handler does. */
const projectId = {
  name: 'project_id',
  in: 'path' as const,
  required: true,
  description: 'Id of the project, or `@current` when the key opens exactly one.',
  // The first project of an installation.
  schema: { type: 'string', example: '1' },
};

/** Removes `x-also-accepts`: a query string has only text, so that text in place of a number is not another form there. */
const leaveText = (parameter: object): void => {
  for (const node of [parameter, (parameter as { schema?: object }).schema ?? {}])
    delete (node as { 'x-also-accepts'?: unknown })['x-also-accepts'];
};

interface WithExample {
  description?: string;
  example?: unknown;
  schema?: { example?: unknown; default?: unknown; enum?: unknown };
}

/**
 * The Swagger page fills in each example, and a list that is filtered by all of them at once is empty. Only the examples of an
 * insight are one question together.
 */
const describeExamples = (operation: Operation): void => {
  if (operation.tags?.includes('Insights')) return;
  for (const parameter of operation.parameters ?? []) {
    if (!('in' in parameter) || parameter.in !== 'query' || parameter.required === true) continue;
    const { schema, ...own } = parameter as WithExample;
    const example = own.example ?? schema?.example;
    if (example === undefined) continue;
    delete (parameter as WithExample).example;
    if (schema) delete schema.example;
    if (schema?.default !== undefined || schema?.enum !== undefined) continue;
    const text = typeof example === 'string' ? example : JSON.stringify(example);
    parameter.description = [own.description, `For example \`${text}\`.`].filter(Boolean).join(' ');
  }
};

const keyParameter = 'IdempotencyKey';

/** The header is described once; what is special about a route is added to its description. */
const describeIdempotency = (operation: Operation): void => {
  const parameters = operation.parameters ?? [];
  const at = parameters.findIndex((parameter) => 'name' in parameter && parameter.name === idempotencyKeyHeader);
  const own = parameters[at];
  if (!own) return;
  parameters[at] = { $ref: `#/components/parameters/${keyParameter}` };
  const special = 'description' in own ? own.description : undefined;
  operation.description = [operation.description, special].filter(Boolean).join('\n\n');
  const conflict = operation.responses['409'];
  if (conflict && 'description' in conflict) conflict.description = `${conflict.description} ${idempotencyConflict}`;
  else operation.responses['409'] = { $ref: '#/components/responses/Problem409' };
};

/** The methods whose body is read, and may be refused, even if the route takes none. */
const withBody: readonly string[] = ['post', 'put', 'patch'];

const complete = (
  operation: Operation,
  { method, path }: { readonly method: string; readonly path: string },
  route: Route | undefined,
  hasSessions: boolean,
): void => {
  const rule = route?.rules[0];
  const isRead = withBody.includes(method) && typeof route?.bodyLimit === 'number';
  const readsBody = operation.requestBody !== undefined || isRead;
  const parameters = (operation.parameters ??= []);
  if (path.includes('{project_id}')) parameters.unshift(projectId);
  parameters.forEach(leaveText);
  describeExamples(operation);
  describeIdempotency(operation);
  const statuses = [
    ...(readsBody && rule?.kind === 'key' ? [400, 408, 413, 415] : []),
    // Signing in takes a body without a key.
    ...(readsBody && rule?.kind === 'public' ? [400, 408, 413, 415, 503] : []),
    ...(parameters.some((parameter) => 'in' in parameter && parameter.in === 'query') ? [400] : []),
    ...(path.includes('{') ? [400, 404] : []),
    // An unknown parameter is refused also where there are none.
    ...(path.startsWith('/api/') ? [400] : []),
    ...(rule?.kind === 'key' ? [401, 503] : []),
    431,
    ...(rule?.kind === 'public' && rule.isHealthCheck ? [] : [429]),
    ...(rule?.kind === 'key' && (rule.scopes.length > 0 || rule.onlySessions || hasSessions) ? [403] : []),
  ];
  for (const status of statuses) operation.responses[status] ??= { $ref: `#/components/responses/Problem${status}` };
  if (operation.requestBody && typeof route?.bodyLimit === 'number')
    describeLimit(operation.requestBody, route.bodyLimit);
  describeDeprecation(operation, route);
  if (rule?.kind !== 'key') {
    operation.security = [];
    return;
  }
  const session = hasSessions ? [{ session: [] }] : [];
  operation.security = rule.onlySessions ? session : [{ personalApiKey: [] }, ...session];
  const scopes =
    rule.scopes.length > 0 ? rule.scopes.map((scope) => `\`${scope}\``).join(' and ') : anyCaller(rule.onlySessions);
  operation.description = [`Scope: ${scopes}.`, operation.description].filter(Boolean).join('\n\n');
  Object.assign(operation, { 'x-required-scopes': rule.scopes });
};

const describeDeprecation = (operation: Operation, route: Route | undefined): void => {
  if (!route?.deprecation) return;
  const { sunset, instead } = route.deprecation;
  operation.deprecated = true;
  const end = `Deprecated, and may be gone from ${sunset}. ${instead}`;
  operation.description = [end, operation.description].filter(Boolean).join('\n\n');
};

const anyCaller = (onlySessions: boolean): string =>
  onlySessions ? 'none, but a session' : 'any valid key or session';

const describeLimit = (body: object, bytes: number): void => {
  const { description } = body as { description?: string };
  Object.assign(body, {
    description: [description, `At most ${sizeText(bytes)}.`].filter(Boolean).join(' '),
    'x-max-bytes': bytes,
  });
};
