import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { personRef } from '../../kernel/identity/person-ref.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { GroupsRepository } from '../../groups/reading/groups.repository.js';
import { PersonsRepository } from '../../persons/reading/persons.repository.js';
import { type Related, type RelatedQuery } from './related.dto.js';
import { type RelatedQuestion, relatedGroupsSql, relatedPersonsSql } from './related.sql.js';

export const relatedDays = 90;
export const maxRelated = 100;

interface Counted {
  readonly key: string;
  readonly events: number;
}

/** Finds the persons and groups that occur in the same events. */
@Injectable()
export class RelatedService {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly persons: PersonsRepository,
    private readonly groups: GroupsRepository,
  ) {}

  async list(project: ProjectContext, query: RelatedQuery, now: Date): Promise<Related[]> {
    const subject = await this.subjectOf(project, query);
    await this.projection.waitUntilFresh(project.id, now);
    const since = new Date(now.getTime() - relatedDays * 86_400_000);
    const question: RelatedQuestion = { projectId: project.id, subject, since, most: maxRelated };
    const [persons, groups] = await Promise.all([
      'personId' in subject ? [] : this.personsOf(project, relatedPersonsSql(question)),
      this.groupsOf(project, relatedGroupsSql(question)),
    ]);
    return [...persons, ...groups];
  }

  private async subjectOf(
    project: ProjectContext,
    { group_type_index: typeIndex, id }: RelatedQuery,
  ): Promise<RelatedQuestion['subject']> {
    if (typeIndex === undefined) {
      const person = await this.persons.get(project, personRef(id));
      return { personId: String(person.id) };
    }
    await this.groups.find(project, typeIndex, id);
    return { typeIndex, actor: (await this.groups.actorOf(project, typeIndex, id)) ?? '0' };
  }

  private async personsOf(project: ProjectContext, statement: Sql): Promise<Related[]> {
    const rows = await this.clickhouse.query<Counted>(statement, { project });
    const found = await this.persons.withIds(
      project,
      rows.map(({ key }) => key),
    );
    return rows.flatMap(({ key, events }) => {
      const person = found.get(key);
      return person ? [{ ...person, type: 'person' as const, id: person.uuid, person_id: person.id, events }] : [];
    });
  }

  private async groupsOf(project: ProjectContext, statement: Sql): Promise<Related[]> {
    const rows = await this.clickhouse.query<Counted>(statement, { project });
    const found = await this.groups.withActors(
      project,
      rows.map(({ key }) => key),
    );
    return rows.flatMap(({ key, events }) => {
      const group = found.get(key);
      return group ? [{ ...group, type: 'group' as const, id: group.group_key, group_id: group.id, events }] : [];
    });
  }
}
