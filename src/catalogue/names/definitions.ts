import { Injectable } from '@nestjs/common';
import { storedTags } from '../../platform/fields/tags.js';
import { type ClientBase } from 'pg';
import { ItemLog } from '../../kernel/activity/item-log.js';
import { type UserDto } from '../../kernel/access/user.dto.js';
import { userJson } from '../../kernel/access/user.sql.js';
import { type Author } from '../../kernel/access/author.js';
import { conflict, invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type NameKind } from '../../persons/values/hidden-names.js';
import { lockProject } from '../../kernel/projects/projects.repository.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type DefineEventBody } from '../catalogue.dto.js';

export const maxDefinitions = 10_000;
/** The most hidden names of a kind, because statements that list names contain all hidden ones. */
export const maxHidden = 1_000;

/** A name with its description by the project. */
export interface DescribedName {
  readonly description: string;
  readonly owner: UserDto | null;
  readonly hidden: boolean;
  readonly tags: string[];
}

export const undescribed: DescribedName = { description: '', owner: null, hidden: false, tags: [] };

const log = new ItemLog('Definition');

interface Stored {
  readonly description: string;
  readonly owner: number | null;
  readonly hidden: boolean;
  readonly tags: readonly string[];
}

/** Stores the descriptions that projects give to their names. */
@Injectable()
export class Definitions {
  constructor(private readonly postgres: Postgres) {}

  async described(
    project: ProjectContext,
    kind: NameKind,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, DescribedName>> {
    const { rows } = await this.postgres.query<DescribedName & { name: string }>(
      pgSql`SELECT d.name, d.description, d.hidden, d.tags, ${userJson} AS owner
       FROM definitions AS d LEFT JOIN users AS u ON u.id = d.owner
       WHERE d.project_id = ${bound(project.id)} AND d.kind = ${bound(kind)} AND d.name = ANY (${bound(names)}::text[])`,
    );
    return new Map(rows.map(({ name, ...described }) => [name, described]));
  }

  /** Changes the description of a name; fields that the body leaves out stay unchanged. */
  async define(project: ProjectContext, kind: NameKind, body: DefineEventBody, author: Author): Promise<void> {
    await this.postgres.transaction(
      async (client) => {
        await lockProject(client, project.id);
        await change(client, project, kind, body, author);
      },
      { repeat: true },
    );
  }
}

const change = async (
  client: ClientBase,
  project: ProjectContext,
  kind: NameKind,
  body: DefineEventBody,
  author: Author,
): Promise<void> => {
  const before = await stored(client, project, kind, body.name);
  const was = before ?? { description: '', owner: null, hidden: false, tags: [] };
  const after = {
    description: body.description === undefined ? was.description : (body.description ?? ''),
    owner: body.owner === undefined ? was.owner : body.owner,
    hidden: body.hidden ?? was.hidden,
    tags: body.tags === undefined ? was.tags : storedTags(body.tags),
  };
  const changes = log.differences(was, after);
  if (changes.length === 0) return;
  if (after.owner !== null && after.owner !== was.owner) await assertOwner(client, project, after.owner, author);
  await client.query(
    pgSql`INSERT INTO definitions (project_id, kind, name, description, owner, hidden, tags, updated_at)
     VALUES (${bound(project.id)}, ${bound(kind)}, ${bound(body.name)}, ${bound(after.description)}, ${bound(after.owner)},
       ${bound(after.hidden)}, ${bound(after.tags)}, ${bound(author.now)})
     ON CONFLICT (project_id, kind, name) DO UPDATE SET description = excluded.description, owner = excluded.owner,
       hidden = excluded.hidden, tags = excluded.tags, updated_at = excluded.updated_at`,
  );
  await refuseTooMany(client, project, kind);
  const entry = { id: `${kind} ${body.name}`, activity: 'updated', name: body.name, changes };
  await log.record(client, project, entry, author);
};

const stored = async (
  client: ClientBase,
  project: ProjectContext,
  kind: NameKind,
  name: string,
): Promise<Stored | null> => {
  const { rows } = await client.query<Stored>(
    pgSql`SELECT description, owner, hidden, tags FROM definitions
     WHERE project_id = ${bound(project.id)} AND kind = ${bound(kind)} AND name = ${bound(name)}`,
  );
  return rows[0] ?? null;
};

/** An owner is shown with an e-mail address, so it must be a user whom the project knows. */
const assertOwner = async (
  client: ClientBase,
  project: ProjectContext,
  owner: number,
  { userId, now }: Author,
): Promise<void> => {
  if (owner === userId) return;
  const { rows } = await client.query(
    pgSql`SELECT 1 FROM personal_api_keys
     WHERE user_id = ${bound(owner)} AND (project_ids IS NULL OR ${bound(project.id)} = ANY (project_ids))
       AND (expires_at IS NULL OR expires_at > ${bound(now)}) LIMIT 1`,
  );
  if (rows.length === 0)
    throw invalidInput(`owner must be the id of a user with a key that opens the project: ${owner} is none`, 'owner');
};

const refuseTooMany = async (client: ClientBase, project: ProjectContext, kind: NameKind): Promise<void> => {
  const { rows } = await client.query<{ all: string; hidden: string }>(
    pgSql`SELECT count(*) AS all, count(*) FILTER (WHERE hidden AND kind = ${bound(kind)}) AS hidden
     FROM definitions WHERE project_id = ${bound(project.id)}`,
  );
  if (Number(rows[0]?.all) > maxDefinitions) throw conflict(`A project can describe at most ${maxDefinitions} names`);
  if (Number(rows[0]?.hidden) > maxHidden)
    throw conflict(`A project can hide at most ${maxHidden} names of events, and of the properties of either kind`);
};
