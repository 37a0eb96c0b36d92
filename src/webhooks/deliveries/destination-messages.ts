import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { CohortFeed } from '../../cohorts/changes/cohort-feed.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { decodeChangePosition, type HistoryPosition } from '../../kernel/memberships/change-position.js';
import { countAfter, membersAfter, membersThen } from '../../kernel/memberships/history.js';
import { personNames, type NamesOfPerson } from '../../persons/reading/named-persons.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { advance, ofDelivery, ofPosition, recordAt, recordNothing, type Recording } from './outcomes.js';
import { type DestinationPosition, type DuePosition, type StartedMessage } from './positions.js';
import { type Identifier } from '../destinations/destination.js';
import { mostBytes, type SentMember, type Written, writeMembers } from '../destinations/format-messages.js';
import { type MessagePersons, noteAccepted, noteDropped, noteSending } from './sent-members.js';

/** A member with the identifier by which the destination names persons. */
interface NamedMember extends SentMember {
  readonly personId: number;
}

/** The persons of the next message, and the position after it. */
interface Piece {
  readonly entered: boolean | null;
  /** All persons that were read, with and without an identifier. */
  readonly persons: readonly number[];
  readonly to: HistoryPosition;
  readonly page: { readonly number: number; readonly of: number; readonly end: number | null } | null;
}

type PositionOf = DuePosition & { readonly destination: DestinationPosition };

/** Thrown when the receiver would not take so many bytes. */
class TooLarge extends Error {}

/** Identifiers are kept and indexed, so a longer one is none. */
export const mostBytesOfIdentifier = 1000;

/** Writes the messages to destinations: the members in pages first, then the changes after them. */
@Injectable()
export class DestinationMessages {
  constructor(
    private readonly postgres: Postgres,
    private readonly feed: CohortFeed,
  ) {}

  /** Begins the next message. Returns null when there is nothing to send at the moment. */
  async start(project: ProjectContext, recording: Recording): Promise<StartedMessage | null> {
    const due = recording.due as PositionOf;
    const piece = due.destination.pageAfter === null ? await this.changes(project, due) : await this.page(due);
    if (piece.persons.length === 0 && piece.page === null) {
      await recordNothing(recording, piece.to);
      return null;
    }
    try {
      return await this.begin({ ...recording, due }, piece);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      await recordSmaller(recording, null, piece.persons.length);
      return null;
    }
  }

  /** Reads the next members as of the position. */
  private page({ webhook, cohort, from, batchSize, destination }: PositionOf): Promise<Piece> {
    const { pageAfter, pageNumber, batchLimit } = destination;
    const limit = Math.min(batchSize, batchLimit ?? batchSize);
    return this.postgres.transaction(
      async (client) => {
        const members = await membersThen(client, webhook.projectId, cohort.id, { id: from.id });
        const persons = membersAfter(members, pageAfter ?? 0, limit);
        const end = persons.at(-1) ?? null;
        const rest = end === null ? 0 : countAfter(members, end);
        const number = pageNumber + 1;
        const page = { number, of: number + Math.ceil(rest / limit), end: rest === 0 ? null : end };
        return { entered: null, persons, to: from, page };
      },
      { snapshot: true },
    );
  }

  /** Reads the next changes, as far as they have the same direction: formats tell arrivals and departures apart. */
  private async changes(project: ProjectContext, due: PositionOf): Promise<Piece> {
    const { cohort, from, batchSize, destination } = due;
    const limit = Math.min(batchSize, destination.batchLimit ?? batchSize);
    const { changes, position } = await this.feed.read(project, cohort.id, {
      of: 'persons',
      after: from,
      limit,
      entered: null,
    });
    const [first] = changes;
    const other = changes.findIndex(({ change }) => change !== first?.change);
    const read = other < 0 ? changes : changes.slice(0, other);
    const to = other < 0 ? position : decodeChangePosition(read.at(-1)?.cursor ?? '', 'cursor');
    return {
      entered: first ? first.change === 'entered' : null,
      persons: read.flatMap((one) => ('person' in one ? [one.person.id] : [])),
      to: to as HistoryPosition,
      page: null,
    };
  }

  private async begin(
    recording: Recording & { readonly due: PositionOf },
    piece: Piece,
  ): Promise<StartedMessage | null> {
    const { due, now } = recording;
    const id = uuidv7();
    let started: StartedMessage | null = null;
    await recordAt(recording, async (client, isPaused) => {
      if (isPaused) return;
      const added = piece.entered === false ? [] : await namedMembers(client, due, piece.persons);
      const persons: MessagePersons = {
        added,
        left: piece.entered === false ? piece.persons : [],
        range: piece.page && { after: due.destination.pageAfter ?? 0, end: piece.page.end },
      };
      const removal = await noteSending(client, due, id, persons);
      const skipped = piece.persons.length - (piece.entered === false ? removal.persons : added.length);
      const written = write(due, { id, now, piece, added, removed: removal.identifiers });
      if (written && piece.persons.length > 1 && Buffer.byteLength(written.body) > mostBytes[due.destination.format])
        throw new TooLarge();
      await insertDelivery(client, due, { id, now, piece, skipped, written });
      if (written) {
        await client.query(pgSql`UPDATE webhook_positions SET delivery_id = ${bound(id)} WHERE ${ofPosition(due)}`);
        const { to, entered } = piece;
        const message = { id, to, limit: due.batchSize, entered, changes: piece.persons.length, createdAt: now };
        started = { ...message, noticeType: null, written: { ...written, skipped, page: piece.page } };
      } else {
        await noteAccepted(client, due, id);
        await client.query(advance(due, piece.to, false, now, piece.page));
      }
    });
    return started;
  }
}

interface Content {
  readonly id: string;
  readonly now: Date;
  readonly piece: Piece;
  readonly added: readonly NamedMember[];
  readonly removed: readonly string[];
}

const write = (due: PositionOf, { id, now, piece: { page }, added, removed }: Content): Written | null => {
  const { webhook, cohort, generation, destination } = due;
  // Persons may share an identifier.
  const members = new Map<string, SentMember>();
  for (const { identifier, properties } of added)
    if (!members.has(identifier)) members.set(identifier, { identifier, properties });
  return writeMembers(
    {
      ...{ id, createdAt: now, projectId: webhook.projectId, cohort, removed },
      page: page && { ...page, session: `${webhook.id}-${cohort.id}-${generation}-${due.from.id}` },
      added: [...members.values()],
      receiverCohort: destination.receiverCohort,
    },
    destination,
  );
};

/** A message that tells nothing is in the log, too, with the persons who were left out. */
const insertDelivery = async (
  client: Queryable,
  due: PositionOf,
  {
    id,
    now,
    piece,
    skipped,
    written,
  }: Omit<Content, 'added' | 'removed'> & {
    readonly skipped: number;
    readonly written: Written | null;
  },
): Promise<void> => {
  const { webhook, cohort, from } = due;
  const { to, page, entered, persons } = piece;
  await client.query(
    pgSql`INSERT INTO webhook_deliveries (project_id, webhook_id, id, cohort_id, from_change, from_offset, to_change, to_offset,
       read_limit, read_entered, changes, status, attempts, created_at, page, pages, page_end, skipped, path, body)
     VALUES (${bound(webhook.projectId)}, ${bound(webhook.id)}, ${bound(id)}, ${bound(cohort.id)}, ${bound(from.id)},
       ${bound(from.offset)}, ${bound(to.id)}, ${bound(to.offset)}, ${bound(due.batchSize)}, ${bound(entered)},
       ${bound(persons.length)}, ${bound(written ? 'waiting' : 'dropped')}, 0, ${bound(now)}, ${bound(page?.number ?? null)},
       ${bound(page?.of ?? null)}, ${bound(page?.end ?? null)}, ${bound(skipped)}, ${bound(written?.path ?? null)},
       ${bound(written?.body ?? null)})`,
  );
};

/** Returns the persons that have the identifier, in the order of their ids. */
const namedMembers = async (
  client: Queryable,
  { webhook, destination: { identifier, properties } }: PositionOf,
  persons: readonly number[],
): Promise<NamedMember[]> => {
  const own = identifier === 'email' ? ['email'] : typeof identifier === 'object' ? [identifier?.property ?? ''] : [];
  const names = await personNames(client, webhook.projectId, persons, [...new Set([...properties, ...own])]);
  return persons.flatMap((personId) => {
    const person = names.get(personId);
    const text = person && identifierOf(person, identifier);
    if (!text) return [];
    const sent = properties.filter((key) => Object.hasOwn(person.properties, key));
    return {
      personId,
      identifier: text,
      properties: Object.fromEntries(sent.map((key) => [key, person.properties[key]])),
    };
  });
};

/** Null when the person has none: then the person is left out. */
const identifierOf = ({ uuid, distinctId, properties }: NamesOfPerson, by: Identifier | null): string | null => {
  if (by === 'uuid') return uuid;
  const value =
    by === 'email' ? properties.email : typeof by === 'object' && by !== null ? properties[by.property] : distinctId;
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  const isShort = typeof text === 'string' && text !== '' && Buffer.byteLength(text) <= mostBytesOfIdentifier;
  return isShort ? text : null;
};

/** Gives up a message that is too large for the receiver. The next one has half of its persons. */
export const recordSmaller = (recording: Recording, started: StartedMessage | null, persons: number): Promise<void> =>
  recordAt(recording, async (client, isPaused) => {
    const { due, now } = recording;
    if (started) {
      await client.query(
        pgSql`UPDATE webhook_deliveries SET status = 'dropped', body = NULL, attempts = attempts + 1, response_status = 413,
           error = 'The receiver answered 413: its persons are sent again in smaller messages', last_attempt_at = ${bound(now)}
         WHERE ${ofDelivery(due, started.id)}`,
      );
      await noteDropped(client, due, started.id);
    }
    await client.query(
      pgSql`UPDATE webhook_positions SET delivery_id = NULL, failures = 0, failing_since = NULL,
         batch_limit = ${bound(Math.max(1, Math.floor(persons / 2)))},
         next_attempt_at = CASE WHEN NOT ${bound(isPaused)} THEN ${bound(now)}::timestamptz END WHERE ${ofPosition(due)}`,
    );
  });

/** Begins again with the members, because the changes after the position were removed before they could be sent. */
export const recordRestart = (recording: Recording): Promise<void> =>
  recordAt(recording, async (client, isPaused) => {
    const { due, now } = recording;
    const { started, forgottenChange } = due;
    if (started) {
      await client.query(
        pgSql`UPDATE webhook_deliveries SET status = 'dropped', body = NULL WHERE ${ofDelivery(due, started.id)}`,
      );
      await noteDropped(client, due, started.id);
    }
    await client.query(
      pgSql`UPDATE webhook_positions SET change_id = ${bound(forgottenChange)}, change_offset = 0, delivery_id = NULL, failures = 0,
         failing_since = NULL, generation = generation + 1, page_after = 0, page_number = 0,
         next_attempt_at = CASE WHEN NOT ${bound(isPaused)} THEN ${bound(now)}::timestamptz END WHERE ${ofPosition(due)}`,
    );
  });
