import { Injectable } from '@nestjs/common';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Candidate } from '../../kernel/memberships/candidate.js';
import { Problem } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { mergedInto } from '../../persons/reading/named-persons.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { maxExportedRows, readSqlText } from '../../sql/ask/query-input.js';
import { readCompact } from '../../sql/ask/compact-answer.js';
import { EngineFaults } from '../../sql/ask/engine-faults.js';
import { QueryService } from '../../sql/ask/query.service.js';
import { memberColumnOf } from './member-column.js';
import { selectedGroupsSql, selectedPersonsSql } from './selected-persons.sql.js';

export interface SelectedSample {
  readonly count: number;
  /** The ids of ten of the members: the smallest ones, in ascending order. */
  readonly sample: readonly string[];
}

/** The same limit as for the rows of an exported answer. */
const maxSelected = maxExportedRows;
/** This many ids are read in a few milliseconds. */
const idsAtOnce = 5000;
const sampleSize = 10;
/** The field that an error names, even if the fault is in a text inside an object. */
const ofCohorts = 'query';

const compactSql = (question: Sql): Sql => sql`${question}\nFORMAT JSONCompact`;

/**
 * Selects members of a static cohort by a question in SQL. Every fault of the question is answered with status 400 and its line
 * and column.
 */
@Injectable()
export class SelectedMembers {
  constructor(
    private readonly queries: QueryService,
    private readonly clickhouse: ClickHouse,
    private readonly postgres: Postgres,
    private readonly faults: EngineFaults,
  ) {}

  /**
   * Runs the question once and returns each selected person once; with `groupType`, each group of the type. The engine sends
   * distinct ids only: a million of them take about ten megabytes.
   */
  async select(
    project: ProjectContext,
    query: unknown,
    now: Date,
    { attr = ofCohorts, groupType = null }: { readonly attr?: string; readonly groupType?: number | null } = {},
  ): Promise<AsyncIterable<Candidate>> {
    const text = readSqlText(query, attr, {});
    const input = { ...text, attr, limit: null, offset: null, format: 'json' as const };
    const signal = project.signal ?? new AbortController().signal;
    const ready = await this.queries.prepareAll(input, { project, now, signal });
    try {
      const column = memberColumnOf(ready.query, ready.outputs, groupType);
      const most = maxSelected + 1;
      const selected =
        groupType === null
          ? selectedPersonsSql(project.id, ready.sql, column, most)
          : selectedGroupsSql(project.id, groupType, ready.sql, column, most);
      const answer = await this.clickhouse.bytes(compactSql(selected), {
        project,
        timezone: project.timezone,
        maxResultRows: maxSelected + 1,
      });
      const { rows, hasMore } = readCompact(answer, maxSelected);
      if (hasMore) throw tooMany(maxSelected, attr);
      return candidatesIn(rows.toString('latin1'));
    } catch (error) {
      throw this.faults.problemOf(error, ready.query, attr, 'members');
    }
  }

  async preview(project: ProjectContext, query: unknown, now: Date, groupType: number | null): Promise<SelectedSample> {
    const ids = await this.idsIn(project, await this.select(project, query, now, { groupType }));
    return { count: ids.size, sample: smallest(ids).map(String) };
  }

  /** The ids of the selected persons; refuses more than `most`. `attr` is the path of the question in the request. */
  async ids(
    project: ProjectContext,
    query: unknown,
    now: Date,
    { attr, most }: { readonly attr: string; readonly most: number },
  ): Promise<ReadonlySet<number>> {
    const ids = await this.idsIn(project, await this.select(project, query, now, { attr }));
    if (ids.size > most) throw tooMany(most, attr);
    return ids;
  }

  private async idsIn(project: ProjectContext, candidates: AsyncIterable<Candidate>): Promise<ReadonlySet<number>> {
    const ids = new Set<number>();
    let uuids: string[] = [];
    const addMerged = async (): Promise<void> => {
      const into = await mergedInto(
        this.postgres,
        project.id,
        uuids.map((uuid) => ({ uuid })),
      );
      for (const person of into) if (person) ids.add(person.id);
      uuids = [];
    };
    for await (const { kind, value } of candidates) {
      if (kind === 'id') ids.add(Number(value));
      else if (uuids.push(value) === idsAtOnce) await addMerged();
    }
    await addMerged();
    return ids;
  }
}

const tooMany = (most: number, attr: string): Problem =>
  new Problem(
    400,
    'validation_error',
    'too_expensive',
    `The query selects more than ${most.toLocaleString('en')} members: narrow it, or make a dynamic cohort`,
    attr,
  );

/** Reads the ids from rows such as `[0, "018f…"], [41, ""]`. */
const candidatesIn = async function* (rows: string): AsyncGenerator<Candidate> {
  let read = 0;
  for (const [, id = '', uuid = ''] of rows.matchAll(/\[(\d+), "([^"]*)"\]/g)) {
    yield uuid === '' ? { kind: 'id', value: id } : { kind: 'uuid', value: uuid };
    read += 1;
    if (read % idsAtOnce === 0) await yieldToEventLoop();
  }
};

/** Returns the smallest ids in ascending order, without sorting all ids. */
const smallest = (ids: Iterable<number>): number[] => {
  const found: number[] = [];
  for (const id of ids) {
    if (found.length === sampleSize && id > (found.at(-1) ?? 0)) continue;
    found.push(id);
    found.sort((a, b) => a - b);
    found.length = Math.min(found.length, sampleSize);
  }
  return found;
};
