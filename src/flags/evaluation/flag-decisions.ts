import { Injectable } from '@nestjs/common';
import { cleanText } from '../../kernel/event-log/normalise/json.js';
import { namedGroups } from '../../kernel/projection/named-groups.js';
import { type Fields, isFields } from '../../platform/fields/values.js';
import { type Bucketed, type FlagDecision, type Everyone, decideFlag } from './decide.js';
import { type FlagsOfProject, ProjectFlags, type ReadyFlag } from './project-flags.js';
import { type CohortVersion, type KnownPerson, Subjects, unknownPerson } from './subjects.js';

/** Whom flags are decided for, as the client says it. */
export interface FlagRequest {
  readonly distinctId: string;
  /** The keys of groups by the names of their types. */
  readonly groups: unknown;
  /** Take the place of what is stored. */
  readonly personProperties: unknown;
  /** Properties of groups by the names of their types, which take the place of what is stored. */
  readonly groupProperties: unknown;
  /** Null: all flags. */
  readonly keys: readonly string[] | null;
}

export interface Decided extends FlagDecision {
  /** The cohorts that the conditions of the flag name, with the version of the members that decided. */
  readonly cohorts: readonly CohortVersion[];
  /** The flag reads persons, and no person has the distinct id. */
  readonly isStranger: boolean;
}

/** Decides about flags, from PostgreSQL only: properties as they are now, and the recorded members of cohorts. */
@Injectable()
export class FlagDecisions {
  constructor(
    private readonly flags: ProjectFlags,
    private readonly subjects: Subjects,
  ) {}

  /** Also decides about flags that are not active. */
  async of(projectId: number, requested: FlagRequest, now: Date): Promise<Decided[]> {
    const all = await this.flags.of(projectId);
    const { keys } = requested;
    const chosen = keys === null ? all.flags : all.flags.filter(({ key }) => keys.includes(key));
    const active = chosen.filter((flag) => flag.active);
    const [person, groups] = await Promise.all([
      this.person(all, requested, active),
      this.groups(projectId, requested, active),
    ]);
    const everyone = {
      person: { id: requested.distinctId, actor: actorOf(person, requested.personProperties) },
      groups,
    };
    const versions = new Map(person.versions.map((version) => [version.id, version]));
    return chosen.map((flag) => ({
      ...decideFlag(flag, everyone, now),
      isStranger: flag.readsPersons && !person.exists,
      cohorts: flag.cohorts.map((id) => versions.get(id) ?? { id, version: null }),
    }));
  }

  private async person(
    all: FlagsOfProject,
    { distinctId }: FlagRequest,
    active: readonly ReadyFlag[],
  ): Promise<KnownPerson> {
    if (!active.some((flag) => flag.readsPersons)) return unknownPerson;
    return this.subjects.person(all, cleanText(distinctId));
  }

  private async groups(
    projectId: number,
    requested: FlagRequest,
    active: readonly ReadyFlag[],
  ): Promise<Everyone['groups']> {
    if (!active.some((flag) => flag.readsGroups)) return new Map();
    const named = namedGroups({ $groups: requested.groups }).groups;
    const keys = new Map(named.map(({ type, key }) => [cleanText(type), cleanText(key)]));
    const properties = fieldsOf(requested.groupProperties);
    const known = await this.subjects.groups(projectId, keys);
    return new Map(
      [...known].map(([index, { type, key, properties: stored }]): [number, Bucketed] => [
        index,
        {
          id: key,
          actor: {
            properties: { ...stored, ...fieldsOf(properties[type]) },
            groupKey: key,
            isMemberOf: () => false,
          },
        },
      ]),
    );
  }
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const actorOf = ({ properties, cohorts }: KnownPerson, sent: unknown): Bucketed['actor'] => ({
  properties: { ...properties, ...fieldsOf(sent) },
  groupKey: null,
  isMemberOf: (id) => cohorts.has(id),
});
