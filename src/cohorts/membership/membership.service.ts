import { Injectable } from '@nestjs/common';
import { TickBatcher } from '../../platform/work/shared-work.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { isBigId, readSmallId } from '../../platform/values/ids.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { idCandidate } from '../../kernel/memberships/candidate.js';
import { type GrantedScope, assertScopes } from '../../kernel/access/scopes.js';
import { groupTypesOf } from '../../kernel/groups/group-types.js';
import { groupActor } from '../../kernel/projection/named-groups.js';
import { type IdKind, isOfGroups, membershipsSql } from './memberships.sql.js';
import { type CheckedCohortDto, type MembershipBody, type MembershipsDto } from './membership.dto.js';

interface MembershipRow {
  /** The id of the person or the group. */
  readonly id: number | null;
  readonly cohorts: number[];
}

interface CohortRow {
  readonly id: number;
  readonly group_type_index: number | null;
  readonly last_change: number;
}

interface Answer {
  readonly members: readonly MembershipRow[];
  readonly cohorts: readonly CohortRow[] | null;
}

type GivenId = string | number;

/** Everything of a question except its ids. */
interface Subject {
  readonly projectId: number;
  readonly idsAre: IdKind;
  readonly cohorts: readonly number[];
}

interface Found {
  readonly members: ReadonlyMap<GivenId, MembershipRow>;
  readonly cohorts: readonly CohortRow[];
}

/** A request for more ids is not combined with others. */
const maxGatheredIds = 10;

/**
 * Answers which persons or groups are in which cohorts, from PostgreSQL only, fast enough for services that ask during their
 * own requests.
 */
@Injectable()
export class MembershipService {
  /**
   * Combines questions about the same cohorts: clients ask for one id after the other, and a statement for many ids costs little
   * more than one for a single id.
   */
  private readonly together = new TickBatcher<string, GivenId, Found>((subject, ids) =>
    this.find(JSON.parse(subject) as Subject, ids),
  );

  constructor(private readonly postgres: Postgres) {}

  async check(project: ProjectContext, body: MembershipBody, scopes: readonly GrantedScope[]): Promise<MembershipsDto> {
    const { idsAre, given, ids, groupType } = await this.readIds(project, body);
    const ofGroups = isOfGroups(idsAre);
    if (ofGroups) assertScopes(scopes, ['group:read']);
    const cohorts = body.cohorts.map(checkedCohortId);
    const subject: Subject = { projectId: project.id, idsAre, cohorts };
    const found = await (ids.length > maxGatheredIds ? this.find(subject, ids) : this.findTogether(subject, ids));
    const tags = tagsOf(cohorts, found.cohorts, { ofGroups, groupType });
    return {
      results: given.map((sent, at) => {
        const { id = null, cohorts: joined = [] } = found.members.get(ids[at] ?? '') ?? {};
        return ofGroups
          ? { given: sent, person_id: null, group_id: id, cohorts: joined }
          : { given: sent, person_id: id, cohorts: joined };
      }),
      cohorts: tags,
    };
  }

  private async readIds(project: ProjectContext, body: MembershipBody): Promise<GivenIds> {
    const [first, second] = idLists.filter((name) => body[name]);
    if (first && second) throw invalidInput(`Send either ${first} or ${second}, not both`, second);
    if (!first) throw required('distinct_ids');
    const given: readonly GivenId[] = body[first] ?? [];
    const { group_type_index: index = null } = body;
    if (index !== null && !first.startsWith('group_'))
      throw invalidInput('group_type_index is for group_keys or group_ids', 'group_type_index');
    switch (first) {
      case 'distinct_ids':
        return { idsAre: 'distinct ids', given, ids: given, groupType: null };
      case 'person_ids':
        return { idsAre: 'persons', given, ids: given.map(checkedPersonId), groupType: null };
      case 'group_ids':
        return { idsAre: 'groups', given, ids: given.map(checkedGroupId), groupType: index };
      case 'group_keys': {
        if (index === null) throw required('group_type_index', 'the index of the type of the groups');
        const types = await groupTypesOf(this.postgres, project.id);
        const type = types.find(({ group_type_index: at }) => at === index);
        if (!type) throw invalidInput(`group_type_index ${index} is that of no type`, 'group_type_index');
        const ids = given.map((key) => groupActor(project.id, { type: type.name, key: String(key) }));
        return { idsAre: 'actors of groups', given, ids, groupType: index };
      }
    }
  }

  private async findTogether(subject: Subject, given: readonly GivenId[]): Promise<Found> {
    const key = JSON.stringify(subject);
    // One statement finds all ids, so every result is the same.
    const [found] = await Promise.all(given.map((id) => this.together.load(key, id)));
    return found ?? this.find(subject, given);
  }

  private async find({ projectId, idsAre, cohorts }: Subject, ids: readonly GivenId[]): Promise<Found> {
    const { rows } = await this.postgres.query<Answer>(membershipsSql(projectId, { idsAre, ids, cohorts }));
    const members = rows[0]?.members ?? [];
    return {
      members: new Map(ids.flatMap((id, at) => (members[at] ? [[id, members[at]]] : []))),
      cohorts: rows[0]?.cohorts ?? [],
    };
  }
}

const idLists = ['distinct_ids', 'person_ids', 'group_ids', 'group_keys'] as const;

/** The ids of a request. */
interface GivenIds {
  readonly idsAre: IdKind;
  readonly given: readonly GivenId[];
  /** By which the database finds them, in the same order. */
  readonly ids: readonly GivenId[];
  /** The index of the type of the groups; null for persons, and for groups of any type. */
  readonly groupType: number | null;
}

const tagsOf = (
  cohorts: readonly number[],
  rows: readonly CohortRow[],
  { ofGroups, groupType }: { readonly ofGroups: boolean; readonly groupType: number | null },
): CheckedCohortDto[] => {
  const known = new Map(rows.map((row) => [row.id, row]));
  cohorts.forEach((id, at) => {
    const cohort = known.get(id);
    if (!cohort) throw invalidInput(`cohorts.${at}: there is no cohort ${id}`, `cohorts.${at}`);
    const { group_type_index: index } = cohort;
    if (ofGroups ? index !== null && (groupType ?? index) === index : index === null) return;
    const way =
      index === null
        ? 'persons: send distinct_ids or person_ids'
        : `groups of the type ${index}: send group_keys or group_ids`;
    throw invalidInput(`cohorts.${at}: cohort ${id} has ${way}`, `cohorts.${at}`);
  });
  return rows.map(({ id, last_change: last }) => ({ id, etag: `${id}-${last}` }));
};

const checkedGroupId = (id: unknown, at: number): string => {
  if ((typeof id === 'string' || typeof id === 'number') && isBigId(String(id))) return String(BigInt(id));
  throw invalidInput(`group_ids.${at} must be the integer id of a group`, `group_ids.${at}`);
};

const checkedPersonId = (id: unknown, at: number): string | number => {
  if ((typeof id === 'string' || typeof id === 'number') && idCandidate(String(id))) return id;
  throw invalidInput(`person_ids.${at} must be the integer id or the uuid of a person`, `person_ids.${at}`);
};

const checkedCohortId = (sent: unknown, at: number): number => {
  const id = readSmallId(sent);
  if (id === null) throw invalidInput(`cohorts.${at} must be the id of a cohort, an integer`, `cohorts.${at}`);
  return id;
};
