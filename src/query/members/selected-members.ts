import { Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { type Candidate } from '../../cohorts/members/candidate.js';
import { MemberQueries, type SelectedSample } from '../../cohorts/static/member-queries.js';
import { Problem } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { maxExportedRows, readSqlText } from '../ask/query-input.js';
import { readCompact } from '../ask/compact-answer.js';
import { problemOfEngine } from '../ask/engine-faults.js';
import { QueryService } from '../ask/query.service.js';
import { memberColumnOf, type MemberColumn } from './member-column.js';
import { selectedPersonsSql, selectedSampleSql } from './selected-persons.sql.js';

/** As many as a file with an answer has rows. */
const maxSelected = maxExportedRows;
/** Reading this many ids takes a few milliseconds. */
const idsAtOnce = 5000;
/** Also the path of a fault in the text inside of an object. */
const attr = 'query';

const compactSql = (question: Sql): Sql => sql`${question}\nFORMAT JSONCompact`;

type Ask<T> = (question: Sql, column: MemberColumn) => Promise<T>;

/** The persons that a question in SQL selects, as members of a static cohort. */
@Injectable()
export class SelectedMembers extends MemberQueries {
  constructor(
    private readonly queries: QueryService,
    private readonly clickhouse: ClickHouse,
  ) {
    super();
  }

  /** The engine sends nothing but ids, each once: a million of them take some ten megabytes. */
  override async select(project: ProjectContext, query: unknown, now: Date): Promise<AsyncIterable<Candidate>> {
    const answer = await this.run(project, query, now, (question, column) =>
      this.clickhouse.bytes(compactSql(selectedPersonsSql(project.id, question, column, maxSelected + 1)), {
        project,
        timezone: project.timezone,
        maxResultRows: maxSelected + 1,
      }),
    );
    const { rows, hasMore } = readCompact(answer, maxSelected);
    if (hasMore) throw tooMany();
    return candidatesIn(rows.toString('latin1'));
  }

  override async preview(project: ProjectContext, query: unknown, now: Date): Promise<SelectedSample> {
    const [row] = await this.run(project, query, now, (question, column) =>
      this.clickhouse.query<SelectedSample>(selectedSampleSql(project.id, question, column), {
        project,
        timezone: project.timezone,
      }),
    );
    const { count = 0, sample = [] } = row ?? {};
    if (count > maxSelected) throw tooMany();
    return { count, sample };
  }

  private async run<T>(project: ProjectContext, query: unknown, now: Date, ask: Ask<T>): Promise<T> {
    const input = { ...readSqlText(query, attr, {}), attr, limit: null, offset: null, format: 'json' as const };
    const signal = project.signal ?? new AbortController().signal;
    const ready = await this.queries.prepareAll(input, { project, now, signal });
    try {
      return await ask(ready.sql, memberColumnOf(ready.query, ready.outputs));
    } catch (error) {
      throw problemOfEngine(error, ready.query, attr);
    }
  }
}

const tooMany = (): Problem =>
  new Problem(
    400,
    'validation_error',
    'too_expensive',
    `The query selects more than ${maxSelected.toLocaleString('en')} persons: narrow it, or make a dynamic cohort`,
    attr,
  );

/** The ids in rows such as `[41],[42]`. */
const candidatesIn = async function* (rows: string): AsyncGenerator<Candidate> {
  let read = 0;
  for (const [value] of rows.matchAll(/\d+/g)) {
    yield { kind: 'id', value };
    read += 1;
    if (read % idsAtOnce === 0) await turn();
  }
};
