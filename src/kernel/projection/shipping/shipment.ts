import { calculatedCohortsCargo, staticCohortsCargo } from '../cargo/cohorts.cargo.js';
import { type Cargo, type Reader } from '../cargo/cargo.js';
import { chunkLengths } from './loader.js';
import { eventsCargo, removedEventsCargo } from '../cargo/events.cargo.js';
import { type OutboxKind, outboxKinds } from '../outbox/outbox.js';
import { groupsCargo } from '../cargo/groups.cargo.js';
import { overridesCargo, personsCargo, redirectsCargo } from '../cargo/identity.cargo.js';
import { type RecentEvents } from '../cargo/recent-events.js';

/**
 * The cargoes in the order of delivery. Removals come first, because an event that was removed and sent again is new. Overrides
 * come after events, because they must be read later than the events of the same shipment.
 */
export const cargoesOf = (recent: RecentEvents): readonly Cargo[] => [
  removedEventsCargo(recent),
  eventsCargo(recent),
  personsCargo,
  overridesCargo,
  redirectsCargo,
  staticCohortsCargo,
  calculatedCohortsCargo,
  groupsCargo,
];

export interface Key {
  readonly projectId: number;
  readonly ref: string;
}

export interface OutboxContent {
  readonly id: string;
  readonly projectId: number;
  readonly kind: OutboxKind;
  readonly refs: readonly string[];
}

type PerKind<T> = { readonly [Kind in OutboxKind]: T };

const perKind = <T>(of: (kind: OutboxKind) => T): PerKind<T> =>
  Object.fromEntries(outboxKinds.map((kind) => [kind, of(kind)])) as PerKind<T>;

/**
 * How the keys of each kind are divided into chunks. The plan is stored with the shipment, because a chunk's token stands
 * for the same keys in every attempt, even when the rows of the keys have grown since.
 */
export type ChunkPlan = Partial<PerKind<readonly number[]>>;

export interface Shipment {
  readonly number: string;
  readonly claimedAt: Date;
  readonly outboxIds: readonly string[];
  readonly keys: PerKind<readonly Key[]>;
  readonly chunks: ChunkPlan;
  /** The number of the divided shipment that may have inserted some of the events; null when there is none. */
  readonly replaces: string | null;
}

/**
 * Returns each key once, in the order of the outbox rows. An event that was removed after it was logged is not shipped as new.
 */
export const keysOf = (contents: readonly OutboxContent[]): PerKind<readonly Key[]> => {
  const keys = perKind(() => new Map<string, Key>());
  for (const { id, kind, projectId, refs } of contents) {
    if (!(kind in keys)) throw new Error(`Outbox row ${id} is of kind ${kind}: a newer release must ship it`);
    for (const ref of refs) {
      const name = `${projectId}:${ref}`;
      if (kind === 'removed_events') keys.events.delete(name);
      keys[kind].set(name, { projectId, ref });
    }
  }
  return perKind((kind) => [...keys[kind].values()]);
};

export const byProject = (keys: readonly Key[]): Map<number, string[]> => {
  const refs = new Map<number, string[]>();
  for (const { projectId, ref } of keys) {
    const known = refs.get(projectId);
    if (known) known.push(ref);
    else refs.set(projectId, [ref]);
  }
  return refs;
};

export const projectsIn = ({ keys }: Pick<Shipment, 'keys'>): number[] => [
  ...new Set(Object.values<readonly Key[]>(keys).flatMap((ofKind) => ofKind.map(({ projectId }) => projectId))),
];

/** At most this many rows fit into memory whatever their size. */
const keysNotWorthMeasuring = 8;
const maxBytes = 64 * 1024 ** 2;

export interface Plan {
  readonly contents: readonly OutboxContent[];
  readonly keys: PerKind<readonly Key[]>;
  readonly chunks: ChunkPlan;
}

/** Takes as many of the candidates as a shipment of bounded size can contain, and plans its chunks. */
export const planShipment = async (
  reader: Reader,
  cargoes: readonly Cargo[],
  candidates: readonly OutboxContent[],
): Promise<Plan> => {
  const all = keysOf(candidates);
  const sizeOf = await sizesOf(reader, cargoes, candidates, all);
  const contents = withinBytes(candidates, sizeOf);
  const keys = contents.length === candidates.length ? all : keysOf(contents);
  return { contents, keys, chunks: planOf(keys, sizeOf) };
};

/** Plans the chunks of a shipment that contains exactly these rows. */
export const planChunks = async (
  reader: Reader,
  cargoes: readonly Cargo[],
  contents: readonly OutboxContent[],
): Promise<ChunkPlan> => {
  const keys = keysOf(contents);
  return planOf(keys, await sizesOf(reader, cargoes, contents, keys));
};

const sizesOf = async (
  reader: Reader,
  cargoes: readonly Cargo[],
  contents: readonly OutboxContent[],
  keys: PerKind<readonly Key[]>,
): Promise<SizeOf> => {
  if (contents.reduce((sum, { refs }) => sum + refs.length, 0) <= keysNotWorthMeasuring) return () => 0;
  const sizes = new Map<OutboxKind, Map<number, Map<string, number>>>();
  for (const { kind, sizes: measure } of cargoes) {
    const ofKind = new Map<number, Map<string, number>>();
    sizes.set(kind, ofKind);
    if (!measure) continue;
    for (const [projectId, refs] of byProject(keys[kind])) {
      const measured = await measure(reader, projectId, refs);
      ofKind.set(projectId, new Map(refs.map((ref, at) => [ref, measured[at] ?? 0])));
    }
  }
  return (kind, { projectId, ref }) => sizes.get(kind)?.get(projectId)?.get(ref) ?? 0;
};

type SizeOf = (kind: OutboxKind, key: Key) => number;

const withinBytes = (contents: readonly OutboxContent[], sizeOf: SizeOf): readonly OutboxContent[] => {
  let bytes = 0;
  const end = contents.findIndex(({ kind, projectId, refs }, at) => {
    bytes += refs.reduce((sum, ref) => sum + sizeOf(kind, { projectId, ref }), 0);
    return at > 0 && bytes > maxBytes;
  });
  return end < 0 ? contents : contents.slice(0, end);
};

const planOf = (keys: PerKind<readonly Key[]>, sizeOf: SizeOf): ChunkPlan =>
  perKind((kind) => chunkLengths(keys[kind].map((key) => sizeOf(kind, key))));
