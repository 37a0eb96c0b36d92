import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { ItemLog } from '../kernel/activity/item-log.js';
import { type Author } from '../kernel/access/author.js';
import { conflict, required } from '../platform/errors/problem.js';
import { assertUnchanged } from '../platform/http/read-only-fields.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type EventMatch } from '../filters/reading/filter.js';
import { FilterChecks } from '../filters/checks/filter-checks.js';
import { lockProject } from '../kernel/projects/projects.repository.js';
import { Postgres } from '../platform/postgres/postgres.js';
import { storedTags } from '../platform/fields/tags.js';
import { bound, pgSql } from '../platform/postgres/sql.js';
import { type ActionDto, type CreateActionBody, type UpdateActionBody } from './action.dto.js';
import { ActionsRepository, toActionDto } from './actions.repository.js';
import { CohortsOfActions } from '../cohorts/saving/cohorts-of-actions.js';
import { checkedSteps, filterOfMatches, stepsOf, type ActionStep } from '../filters/actions/steps.js';

export const maxActions = 2_000;

const log = new ItemLog('Action');

interface Described {
  readonly name: string;
  readonly description: string;
  readonly steps: readonly ActionStep[];
  readonly tags: readonly string[];
}

interface Edit {
  readonly body: UpdateActionBody;
  readonly steps: readonly ActionStep[] | undefined;
  /** The alternatives of new steps; null if the steps do not change. */
  readonly matches: readonly EventMatch[] | null;
}

/** Creates, changes and deletes actions. */
@Injectable()
export class ActionsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: ActionsRepository,
    private readonly filterChecks: FilterChecks,
    private readonly cohorts: CohortsOfActions,
  ) {}

  async create(project: ProjectContext, body: CreateActionBody, author: Author): Promise<ActionDto> {
    const { name, description, steps, tags } = body;
    const action = { name, description: description ?? '', steps: stepsOf(steps), tags: storedTags(tags ?? null) };
    await this.check(project, action.steps);
    return this.commit(project, async (client) => {
      await refuseOneTooMany(client, project);
      const id = await insert(client, project, action, author);
      return toActionDto(await this.rows.find(project, id, client));
    });
  }

  async update(project: ProjectContext, id: number, body: UpdateActionBody, author: Author): Promise<ActionDto> {
    if (body.name === null) throw required('name');
    if (body.steps === null) throw required('steps');
    const { steps: before } = await this.rows.find(project, id);
    const steps = body.steps && stepsOf(body.steps);
    const matches = steps && !isDeepStrictEqual(steps, before) ? await this.check(project, steps) : null;
    await this.commit(project, (client) => this.change(client, project, id, { body, steps, matches }, author));
    return this.rows.get(project, id);
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await this.commit(project, async (client) => {
      const { name } = await this.rows.find(project, id, client);
      await this.cohorts.refuseWhileUsed(client, project, id);
      await client.query(pgSql`DELETE FROM actions WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`);
      await log.record(client, project, { id, activity: 'deleted', name, changes: log.deleted() }, author);
    });
  }

  private async change(
    client: ClientBase,
    project: ProjectContext,
    id: number,
    { body, steps, matches }: Edit,
    author: Author,
  ): Promise<void> {
    const before = await this.rows.find(project, id, client);
    assertUnchanged(body, toActionDto(before));
    const after = {
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      steps: steps ?? before.steps,
      tags: body.tags === undefined ? before.tags : storedTags(body.tags),
    };
    const changes = log.differences(before, after);
    if (changes.length === 0) return;
    await client.query(
      pgSql`UPDATE actions SET name = ${bound(after.name)}, description = ${bound(after.description)},
         steps = ${bound(JSON.stringify(after.steps))}, tags = ${bound(after.tags)}
       WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
    );
    if (matches !== null) await this.cohorts.stepsChanged(client, project, { id, matches, now: author.now });
    await log.record(client, project, { id, activity: 'updated', name: after.name, changes }, author);
  }

  /** Refuses steps that are too many, name unknown cohorts or have regular expressions that RE2 does not accept. */
  private async check(project: ProjectContext, steps: readonly ActionStep[]): Promise<EventMatch[]> {
    const matches = checkedSteps(steps);
    await this.filterChecks.resolve(project, filterOfMatches(matches), 'steps', { subject: 'The action' });
    return matches;
  }

  private async commit<T>(project: ProjectContext, work: (client: ClientBase) => Promise<T>): Promise<T> {
    const result = await this.postgres.transaction(
      async (client) => {
        await lockDefinitions(client, project);
        return work(client);
      },
      { repeat: true },
    );
    this.cohorts.wake();
    return result;
  }
}

/** Waits for other transactions that change actions or definitions of cohorts, which may name this action. */
const lockDefinitions = async (client: ClientBase, { id }: ProjectContext): Promise<void> => {
  await lockProject(client, id);
};

/** Refuses another action if the project has too many; the caller's transaction holds the lock. */
const refuseOneTooMany = async (client: ClientBase, { id }: ProjectContext): Promise<void> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM actions WHERE project_id = ${bound(id)}`,
  );
  if (Number(rows[0]?.count) < maxActions) return;
  throw conflict(`A project can have at most ${maxActions} actions: delete actions that are no longer used`);
};

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  action: Described,
  author: Author,
): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO actions (project_id, name, description, steps, tags, created_by, created_at)
     VALUES (${bound(project.id)}, ${bound(action.name)}, ${bound(action.description)},
       ${bound(JSON.stringify(action.steps))}, ${bound(action.tags)}, ${bound(author.userId)}, ${bound(author.now)})
     RETURNING id`,
  );
  const id = rows[0]?.id ?? 0;
  const entry = { id, activity: 'created', name: action.name, changes: log.created(action) };
  await log.record(client, project, entry, author);
  return id;
};
