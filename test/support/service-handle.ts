import { type OpenAPIObject } from '@nestjs/swagger';
import { Pool } from 'pg';
import request from 'supertest';
import { type GrantedScope } from '../../src/kernel/access/scopes.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { citusTopology } from '../../src/platform/postgres/citus/citus-topology.js';
import { PgConnection } from '../../src/platform/postgres/connection.js';
import { useTopology } from '../../src/platform/postgres/topology.js';
import { documentedBy } from './documented.js';

/** A test that writes by itself does it as the service does. */
const onCitus = (): { Client?: typeof PgConnection } => {
  if (!process.env.TEST_CITUS_WORKERS) return {};
  useTopology(citusTopology);
  return { Client: PgConnection };
};

export interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface NewKey {
  readonly scopes?: readonly GrantedScope[];
  readonly projectIds?: readonly number[] | null;
  readonly expiresAt?: Date | null;
  readonly email?: string;
}

export interface MadeKey {
  readonly text: string;
  readonly id: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** supertest's answer, with a body of unknown type. */
export type Answer = Omit<request.Response, 'body'> & { readonly body: unknown };

/** A running service as a test uses it, with one project and a key that has every scope. */
export interface ServiceHandle {
  readonly url: string;
  /** Used by a call that names no other key. */
  readonly key: string;
  /** The user of that key, and of new keys that name no other. */
  readonly email: string;
  readonly project: ProjectDto;
  /** The service's own database. */
  readonly pool: Pool;
  /** Compares every answer with the OpenAPI document. */
  call(method: Method, path: string, options?: CallOptions): Promise<Answer>;
  newKey(key?: NewKey): Promise<MadeKey>;
  newProject(name?: string): Promise<ProjectDto>;
  stop(): Promise<void>;
}

/** The parts that a service in this process and a shared one make in different ways. */
export interface ServiceParts {
  readonly url: string;
  readonly databaseUrl: URL;
  readonly email: string;
  readonly document: OpenAPIObject;
  newKey(key: NewKey & { readonly email: string }): Promise<MadeKey>;
  newProject(name: string): Promise<ProjectDto>;
  stop(): Promise<void>;
}

export const serviceHandle = async (parts: ServiceParts): Promise<ServiceHandle> => {
  const { url, databaseUrl, email, document } = parts;
  const documented = documentedBy(document);
  const pool = new Pool({ connectionString: databaseUrl.href, max: 4, ...onCitus() });
  pool.on('error', () => undefined);
  const newKey = (key: NewKey = {}) => parts.newKey({ email, ...key });
  const newProject = (name = 'Test') => parts.newProject(name);
  const [{ text: key }, project] = await Promise.all([newKey(), newProject()]);

  /** A request that the service accepts is one that the document describes. */
  const checkRequest = (method: Method, path: string, { body, query = {}, headers = {} }: CallOptions): void => {
    const [bare = path, inPath] = path.split('?');
    const sent = new URLSearchParams(inPath);
    for (const [name, value] of Object.entries(query))
      for (const text of [value].flat()) sent.append(name, String(text));
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body) && !('content-type' in headers);
    const complaint = documented.requestComplaint({ method, path: bare, query: sent, body: isJson ? body : undefined });
    if (complaint)
      throw new Error(
        `${method} ${path} is not as documented: ${complaint}\n${JSON.stringify(body ?? query).slice(0, 500)}`,
      );
  };

  const call = async (method: Method, path: string, options: CallOptions = {}): Promise<Answer> => {
    const { key: sentKey = key, body, query, headers = {} } = options;
    let sent = request(url)[method.toLowerCase() as Lowercase<Method>](path);
    if (query) sent = sent.query(query);
    if (sentKey !== null) sent = sent.set('Authorization', `Bearer ${sentKey}`);
    for (const [name, value] of Object.entries(headers)) sent = sent.set(name, value);
    const answer = await (body === undefined ? sent : sent.send(body as object));
    if (method !== 'HEAD' && method !== 'OPTIONS') {
      if (answer.status < 300) checkRequest(method, path, options);
      documented.check(method, path.split('?')[0] ?? path, {
        ...answer,
        text: answer.text ?? '',
        headers: answer.headers,
        status: answer.status,
      });
    }
    return answer;
  };

  return {
    url,
    key,
    email,
    project,
    pool,
    call,
    newKey,
    newProject,
    stop: async () => {
      await pool.end();
      await parts.stop();
    },
  };
};
