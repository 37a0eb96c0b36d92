import { type ClientBase } from 'pg';
import { type Last, RetryTransaction } from '../../platform/postgres/transaction.js';
import { enqueue, type OutboxEntry, type TakenProjects } from '../projection/outbox/outbox.js';
import { type MemberMoves } from './member-moves.js';
import { affectedIds, loadOwners, loadPersons, lockPersons } from './load.js';
import { decide, type Decision, distinctIdsOfEvent, type MadePerson } from './decide.js';
import { type IdentityEvent, type IdentityWarning } from './identity-event.js';
import { appendPersonNotices, noticesOfCreated, noticesOfMerged } from '../notices/person-notices.js';
import { jsonEqual } from './person-properties.js';
import { type WorkingPersonRef } from './person-group.js';
import { reserve, type Joining, type Reserved } from './reserve.js';
import { redirect } from './redirects.js';
import { decidedMerges, recordMerges } from './record-merges.js';
import {
  type Move,
  type PersonPatch,
  deletePersons,
  idsWithPastEvents,
  movePossessions,
  patchOf,
  updatePersons,
} from './write.js';

interface ApplyOptions {
  readonly members: MemberMoves;
  /** True if the event log already has the events. */
  readonly inLog?: boolean;
  readonly alsoShipped?: readonly OutboxEntry[];
  readonly last?: Last;
  readonly taken?: TakenProjects;
}

/**
 * Makes, changes and merges the persons of new events, in the order the events were received, in the caller's READ COMMITTED
 * transaction. The caller repeats the whole transaction when the error `mayBeRepeated`.
 *
 * The first decision uses reads without locks; mostly nothing changes, and the work ends there. Where persons change, they are
 * locked, read again and decided again. Locks are taken in one order, so that transactions wait for each other in one direction
 * only: new persons by uuid, new distinct ids by their bytes, existing persons by id. A distinct id changes hands only while
 * the persons on both sides are locked. A transaction over several projects takes them by id.
 *
 * All changes to ship go into the outbox, together with the changes that the caller has to ship. No decision depends on this
 * statement, so it may be the last one of the transaction.
 */
export const applyIdentity = async (
  client: ClientBase,
  projectId: number,
  events: readonly IdentityEvent[],
  now: Date,
  { members, inLog = true, alsoShipped = [], last, taken }: ApplyOptions,
): Promise<Applied> => {
  const { changes, ...applied } = await changePersons(client, projectId, events, { members, now, inLog });
  const queued = enqueue(client, projectId, [...changes, ...alsoShipped], now, taken);
  if (last) last(queued);
  else await queued;
  return applied;
};

interface Applied {
  readonly warnings: IdentityWarning[];
  /** The stored persons that no longer exist, because they were merged. */
  readonly merged: readonly Move[];
}

const changePersons = async (
  client: ClientBase,
  projectId: number,
  events: readonly IdentityEvent[],
  { members, now, inLog }: { readonly members: MemberMoves; readonly now: Date; readonly inLog: boolean },
): Promise<Applied & { readonly changes: OutboxEntry[] }> => {
  const concerned = events.filter(processesPerson);
  if (concerned.length === 0) return { changes: [], warnings: [], merged: [] };
  const distinctIds = idsOf(concerned);
  const loaded = await loadPersons(client, projectId, distinctIds);
  const plan = decide(loaded, concerned);
  const affected = affectedIds(loaded, concerned, plan);
  if (affected.size === 0) return { changes: [], warnings: [...plan.warnings], merged: [] };

  const planned = personsToReserve(plan, distinctIds, now);
  const reserved = await reserve(client, projectId, { planned, joining: joiningMade(plan), inOrder: distinctIds });
  const affecting: IdentityEvent[] = [];
  for (const event of concerned) if (affected.has(event.distinctId)) affecting.push(event);
  const decision = await decideLocked(client, projectId, { affected, affecting, plan, reserved });
  const logged = inLog ? events : [];
  const written = await write(client, projectId, { decision, planned, reserved, logged, members, now, inLog });
  const unaffected = plan.warnings.filter(({ distinctId }) => !affected.has(distinctId));
  return { ...written, warnings: [...unaffected, ...decision.warnings] };
};

// This is a named function, and loops replace callbacks below, because V8 drops the machine code of a function without
// references.
const processesPerson = ({ person }: IdentityEvent): boolean => person.process;

const idsOf = (events: readonly IdentityEvent[]): string[] => {
  const ids = new Set<string>();
  for (const event of events) for (const id of distinctIdsOfEvent(event)) ids.add(id);
  return [...ids];
};

/**
 * Returns the persons that need a row, in the order their ids came. An id that is to join a stored person needs a row of its
 * own only until that person is locked.
 */
const personsToReserve = ({ made, attached }: Decision, distinctIds: readonly string[], now: Date): MadePerson[] => {
  const needed = new Map<string, MadePerson>();
  for (const person of made) needed.set(person.distinctId, person);
  for (const { distinctId, to } of attached) {
    if ('stored' in to) needed.set(distinctId, { distinctId, properties: {}, isIdentified: false, createdAt: now });
  }
  const inOrder: MadePerson[] = [];
  for (const distinctId of distinctIds) {
    const person = needed.get(distinctId);
    if (person) inOrder.push(person);
  }
  return inOrder;
};

const joiningMade = ({ attached }: Decision): Joining[] =>
  attached.flatMap(({ distinctId, to }) => ('madeFor' in to ? [{ distinctId, madeFor: to.madeFor }] : []));

interface Planned {
  readonly affected: ReadonlySet<string>;
  readonly affecting: readonly IdentityEvent[];
  readonly plan: Decision;
  readonly reserved: Reserved;
}

const decideLocked = async (
  client: ClientBase,
  projectId: number,
  { affected, affecting, plan, reserved }: Planned,
): Promise<Decision> => {
  const existing: string[] = [];
  for (const distinctId of affected) if (!reserved.rows.has(distinctId)) existing.push(distinctId);
  // All affected persons were then made in this transaction, so no other transaction can have changed them.
  if (existing.length === 0) return onlyFor(affected, plan);
  // Both statements are sent at once and run one after the other.
  const [persons, owners] = await Promise.all([
    lockPersons(client, projectId, existing),
    loadOwners(client, projectId, existing),
  ]);
  for (const distinctId of existing) {
    const owner = owners.get(distinctId);
    if (owner === undefined || !persons.has(owner)) throw new RetryTransaction();
  }
  return decide({ persons, owners }, affecting);
};

const onlyFor = (affected: ReadonlySet<string>, plan: Decision): Decision => ({
  ...plan,
  warnings: plan.warnings.filter(({ distinctId }) => affected.has(distinctId)),
});

interface Decided {
  readonly decision: Decision;
  readonly planned: readonly MadePerson[];
  readonly reserved: Reserved;
  readonly logged: readonly IdentityEvent[];
  readonly members: MemberMoves;
  readonly now: Date;
  readonly inLog: boolean;
}

const write = async (
  client: ClientBase,
  projectId: number,
  { decision, planned, reserved, logged, members, now, inLog }: Decided,
): Promise<Omit<Applied, 'warnings'> & { readonly changes: OutboxEntry[] }> => {
  const { made, changed, attached, merged } = decision;
  const rowFor = (distinctId: string): string => {
    const row = reserved.rows.get(distinctId);
    if (row === undefined) throw new Error(`No person row was reserved for ${JSON.stringify(distinctId)}`);
    return row;
  };
  const rowOf = (ref: WorkingPersonRef): string => ('stored' in ref ? ref.stored : rowFor(ref.madeFor));
  const joining = attached
    .map(({ distinctId, to }) => ({ distinctId, source: rowFor(distinctId), target: rowOf(to) }))
    .filter(({ source, target }) => source !== target);
  // A row that several ids share cannot be moved for one of them.
  const parted = [...made, ...joining].some(({ distinctId }) => reserved.joined.has(distinctId));
  if (parted) throw new RetryTransaction();
  const merging: Move[] = merged.map(({ id, into }) => ({ source: id, target: rowOf(into) }));
  const consumed = [...joining, ...merging].map(({ source }) => source);

  const recorded = await decidedMerges(client, projectId, decision.merges, { planned, reserved, inLog });
  const newIds = [...reserved.rows.keys()];
  const madeIds = made.map(({ distinctId }) => rowFor(distinctId));
  // The statements run in this order, but none of them waits here for the answer to the previous one.
  const [, , moved, redirected, , , withPast] = await Promise.all([
    recordMerges(client, projectId, recorded, now),
    updatePersons(client, projectId, [...changed, ...otherThanPlanned(made, planned, rowFor)]),
    movePossessions(client, projectId, [...joining, ...merging]),
    redirect(client, projectId, merging),
    merging.length > 0 && members.move(client, projectId, merging),
    deletePersons(client, projectId, [...consumed, ...reserved.orphans]),
    idsWithPastEvents(client, projectId, newIds, logged),
    (reserved.areTold || merging.length > 0) &&
      appendPersonNotices(client, projectId, [noticesOfCreated(madeIds), noticesOfMerged(merging)], now),
  ]);
  // A person that got distinct ids has changed, because a search finds persons by their distinct ids.
  const persons = new Set([
    ...madeIds,
    ...changed.map(({ id }) => id),
    ...merged.map(({ id }) => id),
    ...[...joining, ...merging].map(({ target }) => target),
  ]);
  const distinctIds = [...moved.filter((id) => !reserved.rows.has(id)), ...withPast];
  const changes: OutboxEntry[] = [
    { kind: 'persons', refs: [...persons] },
    { kind: 'distinct_ids', refs: distinctIds },
    { kind: 'redirects', refs: redirected },
  ];
  return { changes, merged: merging };
};

/** Returns patches for rows that were made as planned, when the locks then revealed changes that led to another decision. */
const otherThanPlanned = (
  made: readonly MadePerson[],
  planned: readonly MadePerson[],
  rowFor: (distinctId: string) => string,
): PersonPatch[] => {
  const before = new Map<string, MadePerson>();
  for (const person of planned) before.set(person.distinctId, person);
  const patches: PersonPatch[] = [];
  for (const person of made) {
    const inserted = before.get(person.distinctId);
    if (inserted === undefined || isSame(inserted, person)) continue;
    patches.push(patchOf(rowFor(person.distinctId), inserted.properties, person));
  }
  return patches;
};

const isSame = (a: MadePerson, b: MadePerson): boolean =>
  a.isIdentified === b.isIdentified &&
  a.createdAt.getTime() === b.createdAt.getTime() &&
  jsonEqual(a.properties, b.properties);
