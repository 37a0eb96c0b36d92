import { Injectable } from '@nestjs/common';
import { type Cursor, type KeysetSlice, decodeCursor } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { type CohortMemberships, noCohorts } from '../../filters/compile/compile.sql.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type PersonDto } from '../person.dto.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { PersonsRepository } from '../reading/persons.repository.js';
import { contentCountSql, contentPageSql, type ContentQuestion } from './content-pages.sql.js';
import { KeyPages } from './key-pages.js';
import { type KeysetPosition, type PageRequest, isKeysetPosition } from '../../platform/http/newest-first.js';
import { type ContentFilter, type PersonsFilter, type PersonsQuery, readPersonsFilter } from './persons.query.js';

/** A position in the list and its person; null when the person was removed after the position was read. */
export interface ListedPerson extends KeysetPosition {
  readonly person: PersonDto | null;
}

/** A list request whose parameters are parsed and checked. */
export interface ListRequest {
  readonly filter: PersonsFilter;
  readonly cohorts: CohortMemberships;
  readonly cursor: Cursor | null;
}

const personsPerStep = 5000;
/** The properties of this many persons are in memory together. */
const hydratedAtOnce = 250;

/** True if this first page has all matching persons. More records than the limit are read only if there is a next page. */
const isWhole = ({ limit, offset, cursor }: PageRequest, records: number): boolean =>
  cursor === null && offset === 0 && records <= limit;

/**
 * Returns the distinct ids of a request that filters by nothing else and whose page has room for all of them; null for any other
 * request.
 */
const onlyDistinctIds = ({ filter }: ListRequest, request: PageRequest): readonly string[] | null => {
  const { distinctIds, ...others } = filter.keys;
  const isOnly = filter.content === null && Object.values(others).every((value) => value === null);
  return isOnly && distinctIds !== null && isWhole(request, distinctIds.length) ? distinctIds : null;
};

/** Makes up the position from the person: a page with all persons has no cursor that would use it. */
const asListed = (person: PersonDto): ListedPerson => ({
  id: String(person.id),
  micros: String(Date.parse(person.created_at) * 1000),
  person,
});

/** Lists the persons of a project, newest first. */
@Injectable()
export class PersonsList {
  constructor(
    private readonly keyPages: KeyPages,
    private readonly persons: PersonsRepository,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly filterChecks: FilterChecks,
  ) {}

  async read(project: ProjectContext, query: PersonsQuery, now: Date, among: Sql | null = null): Promise<ListRequest> {
    const cursor = decodeCursor(query.cursor, isKeysetPosition);
    const filter = readPersonsFilter(project, query, now, among);
    if (filter.keys.uuid !== null) await this.persons.refuseMerged(project, { uuid: filter.keys.uuid, attr: 'uuid' });
    const cohorts = filter.content ? await this.cohortsOf(project, filter.content) : noCohorts;
    return { filter, cohorts, cursor };
  }

  async page(
    project: ProjectContext,
    listRequest: ListRequest,
    { limit, offset }: { limit: number; offset: number },
    now: Date,
  ): Promise<KeysetSlice<ListedPerson>> {
    const request: PageRequest = { limit, offset, cursor: listRequest.cursor };
    const named = onlyDistinctIds(listRequest, request);
    if (named) {
      const persons = await this.persons.ofDistinctIds(project, named);
      return { count: persons.length, records: persons.map(asListed) };
    }
    const { count, records: positions } = await this.positions(project, listRequest, request, now);
    return { count, records: await this.hydrated(project, positions) };
  }

  /** Yields all matching persons, one step after the other, for lists that ClickHouse evaluates. */
  async *all(
    project: ProjectContext,
    listRequest: ListRequest,
    content: ContentFilter,
    now: Date,
  ): AsyncGenerator<PersonDto> {
    const question = await this.questionOf(project, listRequest, content, now);
    let cursor: Cursor | null = null;
    for (;;) {
      const request: PageRequest = { limit: personsPerStep, offset: 0, cursor };
      const positions = await this.clickhouse.query<KeysetPosition>(contentPageSql(question, request), { project });
      const last = positions[personsPerStep - 1];
      for (let from = 0; from < Math.min(positions.length, personsPerStep); from += hydratedAtOnce) {
        const ids = positions.slice(from, Math.min(from + hydratedAtOnce, personsPerStep)).map(({ id }) => id);
        yield* await this.persons.byIds(project, ids);
      }
      if (positions.length <= personsPerStep || !last) return;
      cursor = { direction: 'after', key: [last.micros, last.id] };
    }
  }

  private async positions(
    project: ProjectContext,
    listRequest: ListRequest,
    request: PageRequest,
    now: Date,
  ): Promise<KeysetSlice<KeysetPosition>> {
    const { keys, content } = listRequest.filter;
    if (!content) return this.keyPages.page(project, keys, request);
    const question = await this.questionOf(project, listRequest, content, now);
    const page = () => this.clickhouse.query<KeysetPosition>(contentPageSql(question, request), { project });
    const total = async () =>
      (await this.clickhouse.query<{ count: number }>(contentCountSql(question), { project }))[0]?.count ?? 0;
    if (content.search === null) {
      const [records, count] = await Promise.all([page(), total()]);
      return { count, records };
    }
    // Most searches find so few persons that one page has them all, and then the count needs no statement of its own.
    const records = await page();
    return { count: isWhole(request, records.length) ? records.length : await total(), records };
  }

  private async questionOf(
    project: ProjectContext,
    { filter: { keys }, cohorts }: ListRequest,
    content: ContentFilter,
    now: Date,
  ): Promise<ContentQuestion> {
    await this.projection.waitUntilFresh(project.id, now);
    const ownersOf = (ids: readonly string[]) => (ids.length === 0 ? [] : this.keyPages.owners(project, ids));
    const ownersOfOne = (id: string | null) => ownersOf(id === null ? [] : [id]);
    return {
      projectId: project.id,
      timezone: project.timezone,
      now,
      cohorts,
      keys,
      content,
      nameProperties: project.personDisplayNameProperties,
      owners: {
        distinctIds: keys.distinctIds === null ? null : await ownersOf(keys.distinctIds),
        search: content.search === null ? [] : await this.keyPages.found(project, content.search),
        keyIdentifier: await ownersOfOne(content.keyIdentifier),
      },
    };
  }

  private async hydrated(project: ProjectContext, positions: readonly KeysetPosition[]): Promise<ListedPerson[]> {
    const found = await this.persons.withIds(
      project,
      positions.map(({ id }) => id),
    );
    return positions.map(({ id, micros }) => ({ id, micros, person: found.get(id) ?? null }));
  }

  private async cohortsOf(project: ProjectContext, { filter, cohort }: ContentFilter): Promise<CohortMemberships> {
    const [ofFilter, ofParameter] = await Promise.all([
      this.filterChecks.resolve(project, filter, 'properties', { tested: 'persons' }),
      cohort === null ? noCohorts : this.filterChecks.resolve(project, cohort, 'cohort', { tested: 'persons' }),
    ]);
    return new Map([...ofFilter, ...ofParameter]);
  }
}
