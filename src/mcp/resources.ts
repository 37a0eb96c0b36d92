import { Injectable } from '@nestjs/common';
import { holds, type GrantedScope } from '../kernel/access/scopes.js';
import { notFound } from '../platform/errors/problem.js';
import { OwnRequests } from './own-requests.js';
import { type CallOf } from './tools/tool-calls.js';

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

const catalogueOf = (project: string): readonly Resource[] => [
  {
    uri: `kohort://projects/${project}/catalogue/events`,
    name: 'Events',
    description: 'The names of the events of the project, with their numbers and descriptions',
    mimeType: 'application/json',
  },
  {
    uri: `kohort://projects/${project}/catalogue/properties`,
    name: 'Properties',
    description: 'The keys of the properties of events and persons, with their types and descriptions',
    mimeType: 'application/json',
  },
];

const guideUri = (path: string): string => `kohort:/${path}`;
const sqlGuide = '/docs/guides/sql.md';

/** A client may read these beside the tools: the catalogue of a project, and the guides, of which that of SQL has the dialect. */
@Injectable()
export class Resources {
  constructor(private readonly own: OwnRequests) {}

  list({ document }: CallOf, scopes: readonly GrantedScope[]): readonly Resource[] {
    const guides = document.guides.map(({ title, path }) => ({
      uri: guideUri(path),
      name: path === sqlGuide ? 'SQL: the dialect and its tables' : `Guide: ${title}`,
      description: path === sqlGuide ? 'The glossary of the SQL dialect that query_sql speaks' : title,
      mimeType: 'text/markdown',
    }));
    return [...(holds(scopes, 'event:read') ? catalogueOf('@current') : []), ...guides];
  }

  templates(scopes: readonly GrantedScope[]): readonly object[] {
    if (!holds(scopes, 'event:read')) return [];
    return catalogueOf('{project_id}').map(({ uri, ...resource }) => ({ uriTemplate: uri, ...resource }));
  }

  async read({ request, document, signal }: CallOf, uri: string): Promise<Resource & { readonly text: string }> {
    const [, project, kind] =
      /^kohort:\/\/projects\/(@current|\d{1,10})\/catalogue\/(events|properties)$/.exec(uri) ?? [];
    const guide = document.guides.find(({ path }) => guideUri(path) === uri);
    if (!guide && (project === undefined || kind === undefined)) throw notFound(`there is no resource ${uri}`);
    const path = guide?.path ?? `/api/projects/${project}/catalogue/${kind}?limit=200`;
    const { status, text } = await this.own.send(request, { method: 'GET', path }, signal);
    if (status !== 200) throw notFound((JSON.parse(text) as { readonly detail: string }).detail);
    const mimeType = guide ? 'text/markdown' : 'application/json';
    return { uri, name: guide?.title ?? String(kind), description: '', mimeType, text };
  }
}
