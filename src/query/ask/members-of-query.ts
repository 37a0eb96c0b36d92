import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../common/project-context.js';
import { QueriedMembers, type QueriedMember } from '../../cohorts/static/queried-members.js';
import { isUuid } from '../../common/ids.js';
import { invalidInput } from '../../common/errors/problem.js';
import { identifier, sql } from '../../stores/clickhouse/sql.js';
import { readText, type Asked } from './asked.js';
import { QueryService, type Asking, type ReadyQuestion } from './query.service.js';
import { batchesOf } from './rows.js';

/** The columns that name persons, the first that a query has being the one that is read. */
const naming = ['person_id', 'distinct_id', 'id', 'uuid'] as const;

interface NamedPersons {
  readonly ready: ReadyQuestion;
  readonly asked: Asked;
  readonly asking: Asking;
  readonly column: (typeof naming)[number];
}

/** Runs the query of a static cohort. */
@Injectable()
export class MembersOfQuery extends QueriedMembers {
  constructor(private readonly queries: QueryService) {
    super();
  }

  async check(project: ProjectContext, query: unknown, attr: string, now: Date): Promise<void> {
    const { ready, asked, asking } = await this.prepare(project, query, attr, now);
    await this.queries.estimate(ready, asked, asking);
  }

  async *members(project: ProjectContext, query: unknown, attr: string, now: Date): AsyncGenerator<QueriedMember> {
    const { ready, asked, asking, column } = await this.prepare(project, query, attr, now);
    const answer = await this.queries.send(ready, asked, asking, 'JSONCompactEachRow');
    for await (const batch of batchesOf(answer)) {
      for (const [value] of batch) {
        const member = memberOf(column, value);
        if (member) yield member;
      }
    }
  }

  private async prepare(project: ProjectContext, query: unknown, attr: string, now: Date): Promise<NamedPersons> {
    const signal = project.signal ?? new AbortController().signal;
    const asked: Asked = { ...readText(query, attr, {}), limit: null, offset: null, format: 'ndjson' };
    const asking = { project, now, signal };
    const ready = await this.queries.prepare(asked, asking, 0);
    const column = naming.find((name) => ready.outputs.some((output) => output.name === name));
    const output = ready.outputs.find(({ name }) => name === column);
    if (!column || !output) {
      throw invalidInput(`${asked.attr} must yield a column person_id or distinct_id`, asked.attr);
    }
    // As text, because an id may be larger than the exact numbers of JSON.
    const statement = sql`SELECT DISTINCT toString(assumeNotNull(${output.sql})) AS ${identifier('member')} FROM (${ready.sql}) WHERE isNotNull(${output.sql})`;
    return { ready: { ...ready, sql: statement, outputs: [output] }, asked, asking, column };
  }
}

/** An actor without a person has a negative id, and is no member. */
const memberOf = (column: NamedPersons['column'], value: unknown): QueriedMember | null => {
  if (typeof value !== 'string' || value === '') return null;
  if (column === 'distinct_id') return { kind: 'distinct_id', value };
  if (/^\d{1,19}$/.test(value)) return { kind: 'id', value };
  return isUuid(value) ? { kind: 'uuid', value: value.toLowerCase() } : null;
};
