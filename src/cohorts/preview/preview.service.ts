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
import { invalidInput, required } from '../../platform/errors/problem.js';
import { groupKey } from '../../filters/reading/filter.js';
import { assertScopes } from '../../kernel/access/scopes.js';
import { noGroup } from '../../kernel/groups/group-id.js';
import { type Member, memberKindOf } from '../../kernel/memberships/record-members.js';
import { isBigId } from '../../platform/values/ids.js';
import { GroupsRepository } from '../../groups/reading/groups.repository.js';
import { type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { PersonsRepository } from '../../persons/reading/persons.repository.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { Calculator } from '../calculation/calculator.js';
import { CohortDefinitions } from '../saving/cohort-definitions.js';
import { CohortsRepository } from '../record/cohorts.repository.js';
import { PastMembers, assertKnown, readAsOf } from '../../kernel/memberships/past-members.js';
import { explanationSql, type Subject } from '../definition/members.sql.js';
import { groupTypeOf, refuseQuery } from '../saving/store-cohort.js';
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

interface ExplainedSubject extends Subject {
  readonly properties: object;
}

/** A request about a cohort of groups needs these in addition to the scopes of the route. */
const groupScopes = ['group:read'] as const;

const refuseGiven = (query: ExplainQuery, names: readonly (keyof ExplainQuery)[], instead: string): void => {
  const field = names.find((name) => query[name] !== undefined);
  if (field !== undefined) throw invalidInput(`${field} is not possible here, because ${instead}`, field);
};

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
    private readonly groups: GroupsRepository,
    private readonly runs: QueryRuns,
    private readonly past: PastMembers,
    private readonly warnings: QuestionWarnings,
  ) {}

  async preview(project: ProjectContext, body: PreviewBody, author: Requester): Promise<PreviewDto> {
    const { now } = author;
    const query = body.query ?? null;
    const groupType = groupTypeOf(body);
    if (groupType !== null) assertScopes(author.scopes, groupScopes);
    if (query !== null) {
      refuseQuery(query, body, null, true);
      await this.definitions.assertGroupType(project, groupType);
      const { count, sample } = await this.runs.preview(project, query, author, groupType);
      return { count, ...(await this.sampleOf(project, sample, groupType)), criteria: [] };
    }
    const read = await this.definitions.read(project, body, now, groupType);
    if (!read) throw required('filters');
    await this.projection.waitUntilFresh(project.id, now);
    const scope = await this.calculator.scopeWith(project, now, read.memberships, groupType);
    const [row] = await this.clickhouse.query<{ count: number; sample: string[] }>(previewSql(read.definition, scope), {
      project,
    });
    const sample = await this.sampleOf(project, row?.sample ?? [], groupType);
    const { definition } = read;
    const warnings = await this.warnings.of(project, {
      matches: matchesIn(definition),
      filters: filtersIn(definition),
    });
    const criteria = criteriaOf(read.definition).map(readCriterion);
    return { count: row?.count ?? 0, ...sample, criteria, ...(warnings.length > 0 && { warnings }) };
  }

  private async sampleOf(
    project: ProjectContext,
    ids: readonly string[],
    groupType: number | null,
  ): Promise<Pick<PreviewDto, 'results' | 'groups'>> {
    if (groupType === null) return { results: await this.persons.byIds(project, ids) };
    const groups = await this.groups.withIds(project, ids);
    return { results: [], groups: ids.flatMap((id) => groups.get(id) ?? []) };
  }

  /**
   * Explains a person or a group. For an earlier moment, the present criteria are applied to the events up to then; properties
   * have their present values, because they have no history.
   */
  async explain(
    project: ProjectContext,
    id: number,
    query: ExplainQuery,
    { now: requestedAt, scopes }: Requester,
  ): Promise<ExplanationDto> {
    const cohort = await this.rows.find(project, id);
    const { group_type_index: groupType } = cohort;
    if (groupType !== null) assertScopes(scopes, groupScopes);
    const explained =
      groupType === null ? await this.personMeant(project, query) : await this.groupMeant(project, groupType, query);
    const member = { kind: memberKindOf(groupType), id: explained.id };
    const { as_of: asOf } = query;
    const now = asOf === undefined ? requestedAt : readAsOf(project, asOf, requestedAt);
    await this.projection.waitUntilFresh(project.id, requestedAt);
    const isIn =
      asOf === undefined
        ? await this.members.cohortsOf(project, [cohort], member, now)
        : await this.memberThen(project, cohort.id, member, now);
    const isMember = isIn.has(cohort.id);
    if (cohort.is_static) return { member: isMember, holds: isMember, criteria: [] };
    const filters = cohort.filters ?? { properties: {} };
    const definition = await this.calculator.readDefinition(project, filters, { groupType });
    if (definition === null) return { member: isMember, holds: false, criteria: [] };
    const scope = await this.calculator.scopeOf(project, definition, now, groupType);
    const [row = {}] = await this.clickhouse.query<Explained>(explanationSql(definition, explained, scope), {
      project,
    });
    const criteria = criteriaOf(definition).map((criterion, at) => {
      const seen = seenBy(criterion, { definition, groupType }, row, explained, at);
      return { ...readCriterion(criterion), held: row[`holds_${at}`] === 1, seen };
    });
    return { member: isMember, holds: row.holds === 1, criteria };
  }

  private async personMeant(project: ProjectContext, query: ExplainQuery): Promise<ExplainedSubject> {
    const { person_id, distinct_id } = query;
    refuseGiven(query, ['group_id', 'group_key'], 'the cohort has persons: send person_id or distinct_id');
    const personId = await this.persons.idNamed(project, { person_id, distinct_id });
    if (personId === null)
      throw required('person_id', 'the id or the uuid of a person; or send distinct_id in its place');
    const { id, properties } = await this.persons.get(project, { id: personId, attr: 'person_id' });
    return { id: String(id), actor: String(id), properties };
  }

  private async groupMeant(project: ProjectContext, groupType: number, query: ExplainQuery): Promise<ExplainedSubject> {
    refuseGiven(query, ['person_id', 'distinct_id'], 'the cohort has groups: send group_id or group_key');
    const { group_id: groupId, group_key: key } = query;
    if (groupId === undefined && key === undefined)
      throw required('group_id', 'the id of a group; or send group_key in its place');
    if (groupId !== undefined && !isBigId(groupId)) throw noGroup(groupId);
    const group =
      groupId === undefined
        ? await this.groups.find(project, groupType, key ?? '')
        : await this.groups.get(project, groupId);
    if (group.group_type_index !== groupType)
      throw invalidInput(`group_id must be that of a group of the type ${groupType}`, 'group_id');
    const actor = (await this.groups.actorOf(project, groupType, group.group_key)) ?? '0';
    const properties = { ...group.group_properties, [groupKey]: group.group_key };
    return { id: String(group.id), actor, properties };
  }

  private async memberThen(
    project: ProjectContext,
    cohortId: number,
    member: Member,
    at: Date,
  ): Promise<ReadonlySet<number>> {
    assertKnown(await this.past.recorded(project, cohortId), at);
    return this.past.cohortsOf(project, [cohortId], member, at);
  }
}

const seenBy = (
  criterion: Criterion,
  { definition, groupType }: { readonly definition: Definition; readonly groupType: number | null },
  row: Explained,
  explained: ExplainedSubject,
  at: number,
): unknown => {
  switch (criterion.kind) {
    case 'property':
      // In a cohort of persons, no single group has the value.
      if (criterion.groupType !== undefined && groupType === null)
        return (row[`holds_${at}`] === 1) !== (criterion.negated ?? false);
      return (explained.properties as Record<string, unknown>)[criterion.key] ?? null;
    case 'cohort':
      return (row[`holds_${at}`] === 1) !== criterion.negated;
    case 'behaviour':
      return countsOf(row, behavioursOf(definition).indexOf(criterion));
  }
};

/** Returns the counts of the events, by name; none for a sequence. */
const countsOf = (row: Explained, behaviour: number): Record<string, unknown> => {
  const prefix = `seen_${behaviour}_`;
  const counts = Object.entries(row).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(counts.map(([name, value]) => [name.slice(prefix.length), value]));
};
