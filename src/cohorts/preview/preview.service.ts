import {
  type Behaviour,
  type CountComparison,
  type Criterion,
  type Definition,
  behavioursOf,
  criteriaOf,
  filtersIn,
  matchesIn,
} from '../definition/definition.js';
import {
  type ExplainQuery,
  type ExplanationDto,
  type PreviewBody,
  type PreviewDto,
  type ReadCriterionDto,
} from './preview.dto.js';
import { Injectable } from '@nestjs/common';
import { required } from '../../platform/errors/problem.js';
import { type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { type PersonDto } from '../../persons/person.dto.js';
import { PersonsRepository } from '../../persons/reading/persons.repository.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { Calculator } from '../calculation/calculator.js';
import { CohortDefinitions } from '../saving/cohort-definitions.js';
import { CohortsRepository } from '../record/cohorts.repository.js';
import { PastMembers, assertKnown, readAsOf } from '../../kernel/memberships/past-members.js';
import { explanationSql } from '../definition/members.sql.js';
import { refuseQuery } from '../saving/store-cohort.js';
import { QueryRuns } from '../static/query-runs.js';
import { CurrentMembers } from '../../kernel/memberships/current-members.js';
import { previewSql } from './preview.sql.js';

/** Shows how a criterion was understood, including the defaults. */
const readCriterion = (criterion: Criterion): ReadCriterionDto => {
  const path = criterion.at ?? 'filters';
  const negated = criterion.negated ?? false;
  const uncounted = { operator: null, operator_value: null };
  switch (criterion.kind) {
    case 'property': {
      const type = criterion.groupType === undefined ? 'person' : 'group';
      return { path, type, key: criterion.key, criterion: criterion.operator, negated, ...uncounted };
    }
    case 'cohort':
      return { path, type: 'cohort', key: String(criterion.cohortId), criterion: 'in', negated, ...uncounted };
    case 'behaviour': {
      const times = timesOf(criterion);
      const counted = times ? { operator: times.operator, operator_value: times.value } : uncounted;
      return { path, type: 'behavioral', key: criterion.of.key, criterion: criterion.did, negated, ...counted };
    }
  }
};

const timesOf = (behaviour: Behaviour): CountComparison | null => ('times' in behaviour ? behaviour.times : null);

type Explained = Readonly<Record<string, unknown>>;

/** Evaluates definitions without storing anything. */
@Injectable()
export class PreviewService {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly calculator: Calculator,
    private readonly definitions: CohortDefinitions,
    private readonly rows: CohortsRepository,
    private readonly members: CurrentMembers,
    private readonly persons: PersonsRepository,
    private readonly runs: QueryRuns,
    private readonly past: PastMembers,
    private readonly warnings: QuestionWarnings,
  ) {}

  async preview(project: ProjectContext, body: PreviewBody, author: Requester): Promise<PreviewDto> {
    const { now } = author;
    const query = body.query ?? null;
    if (query !== null) {
      refuseQuery(query, body, null, true);
      const { count, sample } = await this.runs.preview(project, query, author);
      return { count, results: await this.persons.byIds(project, sample), criteria: [] };
    }
    const read = await this.definitions.read(project, body, now);
    if (!read) throw required('filters');
    await this.projection.waitUntilFresh(project.id, now);
    const scope = await this.calculator.scopeWith(project, now, read.memberships);
    const [row] = await this.clickhouse.query<{ count: number; sample: string[] }>(previewSql(read.definition, scope), {
      project,
    });
    const results = await this.persons.byIds(project, row?.sample ?? []);
    const { definition } = read;
    const warnings = await this.warnings.of(project, {
      matches: matchesIn(definition),
      filters: filtersIn(definition),
    });
    const criteria = criteriaOf(read.definition).map(readCriterion);
    return { count: row?.count ?? 0, results, criteria, ...(warnings.length > 0 && { warnings }) };
  }

  /**
   * Explains a person. For an earlier moment, the present criteria are applied to the events up to then; properties have their
   * present values, because they have no history.
   */
  async explain(
    project: ProjectContext,
    id: number,
    { as_of: asOf, ...named }: ExplainQuery,
    requestedAt: Date,
  ): Promise<ExplanationDto> {
    const cohort = await this.rows.find(project, id);
    const personId = await this.persons.idNamed(project, named);
    if (personId === null)
      throw required('person_id', 'the id or the uuid of a person; or send distinct_id in its place');
    const person = await this.persons.get(project, { id: personId, attr: 'person_id' });
    const now = asOf === undefined ? requestedAt : readAsOf(project, asOf, requestedAt);
    await this.projection.waitUntilFresh(project.id, requestedAt);
    const isIn =
      asOf === undefined
        ? await this.members.cohortsOf(project, [cohort], String(person.id), now)
        : await this.memberThen(project, cohort.id, String(person.id), now);
    const member = isIn.has(cohort.id);
    if (cohort.is_static) return { member, holds: member, criteria: [] };
    const definition = await this.calculator.readDefinition(project, cohort.filters ?? { properties: {} });
    if (definition === null) return { member, holds: false, criteria: [] };
    const scope = await this.calculator.scopeOf(project, definition, now);
    const [row = {}] = await this.clickhouse.query<Explained>(explanationSql(definition, String(person.id), scope), {
      project,
    });
    const criteria = criteriaOf(definition).map((criterion, at) => {
      const seen = seenBy(criterion, definition, row, person, at);
      return { ...readCriterion(criterion), held: row[`holds_${at}`] === 1, seen };
    });
    return { member, holds: row.holds === 1, criteria };
  }

  private async memberThen(
    project: ProjectContext,
    cohortId: number,
    personId: string,
    at: Date,
  ): Promise<ReadonlySet<number>> {
    assertKnown(await this.past.recorded(project, cohortId), at);
    return this.past.cohortsOf(project, [cohortId], personId, at);
  }
}

const seenBy = (
  criterion: Criterion,
  definition: Definition,
  row: Explained,
  person: PersonDto,
  at: number,
): unknown => {
  switch (criterion.kind) {
    case 'property':
      if (criterion.groupType !== undefined) return (row[`holds_${at}`] === 1) !== (criterion.negated ?? false);
      return (person.properties as Record<string, unknown>)[criterion.key] ?? null;
    case 'cohort':
      return (row[`holds_${at}`] === 1) !== criterion.negated;
    case 'behaviour':
      return countsOf(row, behavioursOf(definition).indexOf(criterion));
  }
};

/** Returns the counts of the person's events, by name; none for a sequence. */
const countsOf = (row: Explained, behaviour: number): Record<string, unknown> => {
  const prefix = `seen_${behaviour}_`;
  const counts = Object.entries(row).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(counts.map(([name, value]) => [name.slice(prefix.length), value]));
};
