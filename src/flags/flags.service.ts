import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { ItemLog } from '../kernel/activity/item-log.js';
import { FilterChecks } from '../filters/checks/filter-checks.js';
import { type Author } from '../kernel/access/author.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { lockProject } from '../kernel/projects/projects.repository.js';
import { conflict, invalidInput, required } from '../platform/errors/problem.js';
import { storedTags } from '../platform/fields/tags.js';
import { assertUnchanged } from '../platform/http/read-only-fields.js';
import { Postgres } from '../platform/postgres/postgres.js';
import { bound, pgSql } from '../platform/postgres/sql.js';
import { readRules } from './definition/read-rules.js';
import { type Rules, type StoredRules, cohortsOfRules, filterOf } from './definition/rules.js';
import { type CreateFlagBody, type FlagDto, type UpdateFlagBody } from './flag.dto.js';
import { FlagsRepository, toFlagDto } from './flags.repository.js';

export const maxFlags = 2_000;

const log = new ItemLog('FeatureFlag');

interface Described {
  readonly key: string;
  readonly name: string;
  readonly active: boolean;
  readonly filters: StoredRules;
  readonly tags: readonly string[];
}

/** Creates, changes and deletes flags. */
@Injectable()
export class FlagsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: FlagsRepository,
    private readonly filterChecks: FilterChecks,
  ) {}

  async create(project: ProjectContext, body: CreateFlagBody, author: Author): Promise<FlagDto> {
    const { key, active, tags } = body;
    const { stored: filters, rules } = readRules(body.filters, 'filters');
    const flag = { key, name: nameIn(body) ?? '', active: active ?? true, filters, tags: storedTags(tags ?? null) };
    await this.assertGroupTypes(project, rules);
    return this.oneAtATime(project, async (client) => {
      await this.assertCohorts(client, project, rules);
      await refuseOneTooMany(client, project);
      await refuseTakenKey(client, project, key);
      const id = await insert(client, project, flag, cohortsOfRules(rules), author);
      return toFlagDto(await this.rows.find(project, id, client));
    });
  }

  async update(project: ProjectContext, id: number, body: UpdateFlagBody, author: Author): Promise<FlagDto> {
    if (body.key === null) throw required('key');
    const read = body.filters === undefined || body.filters === null ? null : readRules(body.filters, 'filters');
    if (read) await this.assertGroupTypes(project, read.rules);
    return this.oneAtATime(project, async (client) => {
      const before = await this.rows.find(project, id, client);
      assertUnchanged(body, toFlagDto(before));
      const after: Described = {
        key: body.key ?? before.key,
        name: nameIn(body) ?? (body.name === undefined ? before.name : ''),
        active: body.active ?? before.active,
        filters: read?.stored ?? before.filters,
        tags: body.tags === undefined ? before.tags : storedTags(body.tags),
      };
      const changes = log.differences(before, after);
      if (changes.length === 0) return toFlagDto(before);
      if (after.key !== before.key) await refuseTakenKey(client, project, after.key);
      const isNew = read !== null && !isDeepStrictEqual(before.filters, read.stored);
      if (isNew) await this.assertCohorts(client, project, read.rules);
      await client.query(
        pgSql`UPDATE feature_flags SET key = ${bound(after.key)}, name = ${bound(after.name)}, active = ${bound(after.active)},
           filters = ${bound(JSON.stringify(after.filters))}, tags = ${bound(after.tags)}, version = version + 1,
           cohorts = ${isNew ? pgSql`${bound(cohortsOfRules(read.rules))}` : pgSql`cohorts`},
           last_modified_by = ${bound(author.userId)}, updated_at = ${bound(author.now)}
         WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
      );
      await log.record(client, project, { id, activity: 'updated', name: after.key, changes }, author);
      return toFlagDto(await this.rows.find(project, id, client));
    });
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await this.oneAtATime(project, async (client) => {
      const { key } = await this.rows.find(project, id, client);
      await client.query(
        pgSql`DELETE FROM feature_flags WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
      );
      await log.record(client, project, { id, activity: 'deleted', name: key, changes: log.deleted() }, author);
    });
  }

  private assertCohorts(client: ClientBase, project: ProjectContext, { conditions }: Rules): Promise<void> {
    return this.filterChecks.assertCohorts(client, project, filterOf(conditions), 'filters.groups');
  }

  /** Refuses types of groups that the project does not have. */
  assertGroupTypes(project: ProjectContext, { groupType, conditions }: Rules): Promise<void> {
    const name = 'aggregation_group_type_index';
    const named = [
      ...conditions.map((condition, at) => ({ index: condition.groupType, at: `filters.groups.${at}.${name}` })),
      { index: groupType, at: `filters.${name}` },
    ];
    return this.filterChecks.assertGroupTypes(
      project,
      named.flatMap(({ index, at }) => (index === null ? [] : [{ index, at }])),
    );
  }

  /** Flags are changed one after the other, and not while cohorts are deleted. */
  private oneAtATime<T>(project: ProjectContext, work: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.postgres.transaction(
      async (client) => {
        await lockProject(client, project.id);
        return work(client);
      },
      { repeat: true },
    );
  }
}

const refuseOneTooMany = async (client: ClientBase, { id }: ProjectContext): Promise<void> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM feature_flags WHERE project_id = ${bound(id)}`,
  );
  if (Number(rows[0]?.count) < maxFlags) return;
  throw conflict(`A project can have at most ${maxFlags} feature flags: delete flags that are no longer used`);
};

const refuseTakenKey = async (client: ClientBase, { id }: ProjectContext, key: string): Promise<void> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM feature_flags WHERE project_id = ${bound(id)} AND key = ${bound(key)}`,
  );
  if (rows[0]) throw invalidInput(`key must be unique: feature flag ${rows[0].id} is called ${key}`, 'key');
};

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  flag: Described,
  cohorts: readonly number[],
  author: Author,
): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO feature_flags (project_id, key, name, active, filters, cohorts, tags, version, created_by, last_modified_by,
       created_at, updated_at)
     VALUES (${bound(project.id)}, ${bound(flag.key)}, ${bound(flag.name)}, ${bound(flag.active)},
       ${bound(JSON.stringify(flag.filters))}, ${bound(cohorts)}, ${bound(flag.tags)}, 1, ${bound(author.userId)},
       ${bound(author.userId)}, ${bound(author.now)}, ${bound(author.now)})
     RETURNING id`,
  );
  const id = rows[0]?.id ?? 0;
  await log.record(client, project, { id, activity: 'created', name: flag.key, changes: log.created(flag) }, author);
  return id;
};

/** Clients of the reference product send a description as well, of which a flag has none. */
const nameIn = ({ name, description }: UpdateFlagBody): string | null => name || description || null;
