import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ProblemDto } from './common/errors/problem.dto.js';
import { sizeText } from './common/http/body-limit.js';
import { Routes, type Route } from './common/http/routes.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const problems: Record<number, string> = {
  400: 'A parameter or the body is not valid; `attr` names it.',
  401: 'No API key, or one that is unknown, revoked, expired or malformed.',
  403: 'The key lacks a scope, named in `detail` and `X-Required-Scopes`.',
  404: 'The record does not exist, or the key does not open its project: the answer is the same for both.',
  408: 'The body arrived too slowly or stopped arriving; the connection is closed.',
  413: 'The body exceeds `x-max-bytes` of the request body, as received or unpacked.',
  415: 'The body is not JSON, or its `Content-Encoding` is not gzip, deflate or br.',
  429: 'The rate limit of the user, or of the remote address without a valid key, is exhausted, or the address sends too many bytes at a time; `Retry-After` is the time to wait in seconds.',
  431: 'The path, the query and the headers exceed 16 kB together.',
  503: 'A store cannot be reached; try again after `Retry-After` seconds.',
};

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Builds the document of `/openapi.json` from the decorators, and adds what follows from the access rules. */
export const openApiDocument = (app: INestApplication): OpenAPIObject => {
  const document = SwaggerModule.createDocument(
    app,
    new DocumentBuilder()
      .setTitle('Kohort')
      .setDescription(
        'Persons, cohorts and insights about them. Press Authorize and paste a personal API key (`phx_…`); a first start prints one.',
      )
      .setVersion('1')
      .setLicense('MIT', 'https://opensource.org/license/mit')
      .addServer('/')
      .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A personal API key: `phx_…`' }, 'personalApiKey')
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
      complete(operation, path, route);
    }
  }
  for (const operation of described.values()) describeAliases(operation);
  document.components = {
    ...document.components,
    responses: { ...problemResponses(), ...document.components?.responses },
  };
  return document;
};

/** A handler may serve several paths: the first one has the operation, which lists the others. */
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
  schema: { type: 'string', example: '@current' },
};

const complete = (operation: Operation, path: string, route: Route | undefined): void => {
  const rule = route?.rules[0];
  const parameters = (operation.parameters ??= []);
  if (path.includes('{project_id}')) parameters.unshift(projectId);
  const statuses = [
    ...(operation.requestBody && rule?.kind === 'key' ? [400, 408, 413, 415] : []),
    ...(parameters.some((parameter) => 'in' in parameter && parameter.in === 'query') ? [400] : []),
    ...(path.includes('{') ? [400, 404] : []),
    // An unknown parameter is refused also where there are none.
    ...(rule?.kind === 'key' ? [400, 401, 503] : []),
    431,
    ...(rule?.kind === 'public' && rule.isHealthCheck ? [] : [429]),
    ...(rule?.kind === 'key' && rule.scopes.length > 0 ? [403] : []),
  ];
  for (const status of statuses) operation.responses[status] ??= { $ref: `#/components/responses/Problem${status}` };
  if (operation.requestBody && typeof route?.bodyLimit === 'number')
    describeLimit(operation.requestBody, route.bodyLimit);
  if (rule?.kind !== 'key') {
    operation.security = [];
    return;
  }
  operation.security = [{ personalApiKey: [] }];
  const scopes = rule.scopes.length > 0 ? rule.scopes.map((scope) => `\`${scope}\``).join(' and ') : 'any valid key';
  operation.description = [`Scope: ${scopes}.`, operation.description].filter(Boolean).join('\n\n');
  Object.assign(operation, { 'x-required-scopes': rule.scopes });
};

const describeLimit = (body: object, bytes: number): void => {
  const { description } = body as { description?: string };
  Object.assign(body, {
    description: [description, `At most ${sizeText(bytes)}.`].filter(Boolean).join(' '),
    'x-max-bytes': bytes,
  });
};

const problemResponses = (): NonNullable<NonNullable<OpenAPIObject['components']>['responses']> =>
  Object.fromEntries(
    Object.entries(problems).map(([status, description]) => [
      `Problem${status}`,
      { description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } } },
    ]),
  );
