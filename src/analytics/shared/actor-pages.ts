import { Injectable } from '@nestjs/common';
import { type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { personUuid } from '../../kernel/identity/person-ref.js';
import { type PersonDto } from '../../persons/person.dto.js';
import { PersonsRepository, humanFirst } from '../../persons/reading/persons.repository.js';
import {
  actorCountSql,
  actorPageSql,
  actorsAfterSql,
  profilelessSql,
  type ActorList,
  type Search,
} from './actor-lists.sql.js';
import { type QuestionScope } from './question-scopes.js';
import { Questions } from '../../filters/asking/questions.js';
import { GroupActors, type InsightGroup } from './group-actors.js';

/** A person or a group behind a number. */
export type ActorDto = PersonDto | InsightGroup;

/** A row of an actor list. Each insight may add columns of its own. */
export interface ActorRow {
  readonly actor_id: string;
  readonly total?: number;
  readonly rank?: string;
}

export interface ActorRequest<Row extends ActorRow> {
  readonly list: ActorList;
  readonly search: string | null;
  /** The fields that the insight adds to the common shape of a person. */
  readonly extra: (row: Row) => object;
  /** The names of the fields of `extra`, as columns of a CSV. */
  readonly columns?: readonly string[];
}

const rowsPerStep = 5000;
/** The properties of at most this many persons are in memory together. */
const hydratedAtOnce = 250;

/** The persons behind a number: ClickHouse selects the actors, PostgreSQL has the profiles. */
@Injectable()
export class ActorPages {
  constructor(
    private readonly questions: Questions,
    private readonly persons: PersonsRepository,
    private readonly groups: GroupActors,
  ) {}

  async page<Row extends ActorRow>(
    scope: QuestionScope,
    { list, search: term, extra }: ActorRequest<Row>,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<Slice<ActorDto>> {
    const search = await this.searchOf(scope, term);
    const rows = await this.questions.ask<Row>(scope, actorPageSql(scope, list, search, page));
    const count = rows[0]?.total ?? (page.offset > 0 ? await this.count(scope, list, search) : 0);
    return { count, results: await this.actorsOf(scope, rows, extra) };
  }

  /** All persons behind the number, in the order of a page and read in steps. */
  async *all<Row extends ActorRow>(
    scope: QuestionScope,
    { list, search: term, extra }: ActorRequest<Row>,
  ): AsyncGenerator<ActorDto> {
    const search = await this.searchOf(scope, term);
    let after: Row | null = null;
    for (;;) {
      const rows: Row[] = await this.questions.ask<Row>(scope, actorsAfterSql(scope, list, search, after, rowsPerStep));
      for (let from = 0; from < rows.length; from += hydratedAtOnce)
        yield* await this.actorsOf(scope, rows.slice(from, from + hydratedAtOnce), extra);
      after = rows.at(-1) ?? null;
      if (rows.length < rowsPerStep || after === null) return;
    }
  }

  private async count(scope: QuestionScope, list: ActorList, search: Search | null): Promise<number> {
    const [row] = await this.questions.ask<{ total: number }>(scope, actorCountSql(scope, list, search));
    return row?.total ?? 0;
  }

  private async searchOf({ project }: QuestionScope, term: string | null): Promise<Search | null> {
    const trimmed = term?.trim() ?? '';
    return trimmed === '' ? null : { term: trimmed, ownerId: await this.persons.ownerOf(project, trimmed) };
  }

  private async actorsOf<Row extends ActorRow>(
    scope: QuestionScope,
    rows: readonly Row[],
    extra: (row: Row) => object,
  ): Promise<ActorDto[]> {
    const { groupType } = scope;
    if (groupType === null) return this.personsOf(scope, rows, extra);
    const groups = await this.groups.of(
      scope,
      groupType,
      rows.map(({ actor_id }) => actor_id),
    );
    return rows.flatMap((row) => {
      const group = groups.get(row.actor_id);
      return group ? [{ ...group, ...extra(row) }] : [];
    });
  }

  /** Returns the persons in the order of the rows; persons that have disappeared in the meantime are left out. */
  async personsOf<Row extends ActorRow, Extra extends object>(
    scope: QuestionScope,
    rows: readonly Row[],
    extra: (row: Row) => Extra,
  ): Promise<(PersonDto & Extra)[]> {
    const isPerson = ({ actor_id }: ActorRow) => !actor_id.startsWith('-');
    const persons = await this.persons.withIds(
      scope.project,
      rows.filter(isPerson).map(({ actor_id }) => actor_id),
    );
    const profileless = await this.profileless(
      scope,
      rows.filter((row) => !isPerson(row)).map(({ actor_id }) => actor_id),
    );
    const byActor = new Map([...persons, ...profileless]);
    return rows.flatMap((row) => {
      const person = byActor.get(row.actor_id);
      return person ? [{ ...person, ...extra(row) }] : [];
    });
  }

  private async profileless(scope: QuestionScope, actors: readonly string[]): Promise<[string, PersonDto][]> {
    if (actors.length === 0) return [];
    const rows = await this.questions.ask<ProfilelessActor>(scope, profilelessSql(scope, actors));
    return rows.map((row) => [row.actor_id, profilelessDto(scope.project, row)]);
  }
}

interface ProfilelessActor {
  readonly actor_id: string;
  readonly distinct_ids: string[];
  readonly first_seen: string;
}

/** Presents a profile-less actor as a person without properties. The uuid is the one that a later person profile would have. */
const profilelessDto = (
  project: ProjectContext,
  { actor_id, distinct_ids, first_seen }: ProfilelessActor,
): PersonDto => {
  const distinctIds = humanFirst(distinct_ids);
  const [first = ''] = distinctIds;
  return {
    id: shortened(actor_id),
    name: first,
    distinct_ids: distinctIds,
    distinct_id_count: distinctIds.length,
    properties: {},
    created_at: new Date(first_seen).toISOString(),
    uuid: personUuid(project.id, first),
    is_identified: false,
  };
};

/** Shortens the negative 64-bit actor id to a negative number that JSON represents exactly. */
const shortened = (actor: string): number => -Number(BigInt.asUintN(52, -BigInt(actor))) - 1;
