import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ActivityChange, recordActivity } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { Permits } from '../../platform/work/permits.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { isPostgresUnavailable } from '../../platform/errors/store-errors.js';
import { assertUnchanged, hasReadOnly } from '../../platform/http/read-only-fields.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { firstDistinctIdOf, type LockedPerson, lockPerson } from '../../kernel/identity/locked-person.js';
import { PersonProperties, maxPersonPropertiesBytes } from '../../kernel/identity/person-properties.js';
import { MovedMembers } from '../../kernel/memberships/moved-members.js';
import { missingPerson } from '../reading/named-persons.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import { PersonsRepository, distinctIdsInList } from '../reading/persons.repository.js';
import { type PersonDto } from '../person.dto.js';
import { Projection } from '../../kernel/projection/projection.js';
import { loggable, writeEvents } from '../../kernel/event-log/event-log.js';
import { type NormalisedEvent, normalise } from '../../kernel/event-log/normalise/normalise.js';
import { readEditProperties } from '../../kernel/event-log/normalise/edited-properties.js';
import { type SetPropertiesBody } from './person-edits.dto.js';
import { Postgres } from '../../platform/postgres/postgres.js';

/** A change of properties in the form of an event. */
interface Edit {
  readonly event: '$set' | '$delete_person_property';
  readonly operator: '$set' | '$unset';
  readonly operand: object;
  readonly activity: 'updated' | 'delete_property';
  /** The field that an error names. */
  readonly attr: string;
  /** The person as the caller read it and sent it back. */
  readonly sentBack?: SetPropertiesBody;
}

/**
 * Changes a person's properties by hand. Each change is an event in the log like those of SDKs, so that the log contains
 * the whole history; the person, the event and the activity entry are committed together.
 */
@Injectable()
export class PersonEditsService {
  /**
   * Edits of a person are made one at a time. PostgreSQL would serialise them too, but each transaction that waits there for a
   * row lock holds a connection, and a few dozen writers of one person would leave no connection for other work. When PostgreSQL
   * is unavailable, the waiting edits fail at once instead of after one time-out each.
   */
  private readonly permits = new Permits(
    { person: 1 },
    { mostWaiting: Infinity, failsWaiting: (error) => error instanceof Error && isPostgresUnavailable(error) },
  );

  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonsRepository,
    private readonly projection: Projection,
    private readonly members: MovedMembers,
  ) {}

  update(project: ProjectContext, ref: PersonRef, body: SetPropertiesBody, author: Author): Promise<PersonDto> {
    const operand = readEditProperties(body.properties);
    const edit = { event: '$set', operator: '$set', operand, activity: 'updated', attr: 'properties' } as const;
    return this.commit(project, ref, { ...edit, sentBack: body }, author);
  }

  setProperties(
    project: ProjectContext,
    ref: PersonRef,
    properties: Record<string, unknown>,
    attr: string,
    author: Author,
  ): Promise<PersonDto> {
    const edit: Edit = { event: '$set', operator: '$set', operand: properties, activity: 'updated', attr };
    return this.commit(project, ref, edit, author);
  }

  /** Deleting an absent key changes nothing and logs no event. */
  deleteProperty(project: ProjectContext, ref: PersonRef, key: string, author: Author): Promise<PersonDto> {
    const edit: Edit = {
      event: '$delete_person_property',
      operator: '$unset',
      operand: [key],
      activity: 'delete_property',
      attr: '$unset',
    };
    return this.commit(project, ref, edit, author);
  }

  private async commit(project: ProjectContext, ref: PersonRef, edit: Edit, author: Author): Promise<PersonDto> {
    const name = `${project.id} ${'id' in ref ? ref.id : ref.uuid}`;
    const person = await this.permits.during({ person: name }, () =>
      this.postgres.transaction((client) => this.edit(client, project, ref, edit, author), { repeat: true }),
    );
    this.projection.wake();
    return person;
  }

  private async edit(
    client: ClientBase,
    project: ProjectContext,
    ref: PersonRef,
    edit: Edit,
    author: Author,
  ): Promise<PersonDto> {
    const person = await lockPerson(client, project.id, ref);
    const distinctId = person && (await firstDistinctIdOf(client, project.id, person.id));
    if (!person || distinctId === null) throw await missingPerson(client, project.id, ref);
    if (edit.sentBack && hasReadOnly(edit.sentBack)) {
      const record = await this.persons.get(project, { id: person.id }, client);
      assertUnchanged(edit.sentBack, record, asListed(record));
    }
    const event = eventOf(edit, distinctId, author.now);
    const changes = changesOf(person, event, edit.attr);
    if (changes.length > 0 || edit.operator === '$set') {
      await writeEvents(client, project.id, [loggable(event)], author.now, this.members);
    }
    if (changes.length > 0) {
      const name = edit.activity === 'updated' ? null : person.uuid;
      const { activity } = edit;
      await recordActivity(client, project, { scope: 'Person', itemId: person.id, activity, name, changes }, author);
    }
    return this.persons.get(project, { id: person.id }, client);
  }
}

/** Cuts the distinct ids to the number that lists show. */
const asListed = (record: PersonDto): PersonDto => ({
  ...record,
  distinct_ids: record.distinct_ids.slice(0, distinctIdsInList),
});

const eventOf = ({ event, operator, operand, attr }: Edit, distinctId: string, now: Date): NormalisedEvent => {
  const raw = { event, distinct_id: distinctId, timestamp: now.toISOString(), properties: { [operator]: operand } };
  const normalised = normalise(raw, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) throw invalidInput(normalised.rejection.detail, attr);
  return normalised.event;
};

/** Lists keys without values, because the activity log outlives the person. */
const changesOf = (person: LockedPerson, event: NormalisedEvent, attr: string): ActivityChange[] => {
  const properties = new PersonProperties(person.properties);
  if (!properties.apply(event.person)) {
    throw invalidInput(`the person's properties would exceed ${maxPersonPropertiesBytes} bytes`, attr);
  }
  const { changed, removed } = properties.patch();
  const change = (field: string, action: ActivityChange['action']): ActivityChange => ({
    type: 'Person',
    action,
    field,
    before: null,
    after: null,
  });
  return [
    ...Object.keys(changed).map((key) => change(key, Object.hasOwn(person.properties, key) ? 'changed' : 'created')),
    ...removed.map((key) => change(key, 'deleted')),
  ];
};
