import { type ImportedPerson } from '../../kernel/identity/import-persons.js';
import { LinkedIds } from '../../kernel/identity/load.js';
import { type LoggableEvent } from '../../kernel/event-log/event-log.js';
import { type Verdict } from '../../kernel/event-log/group-commit.js';
import { type ImportRecord } from './record.js';

/**
 * A line as it was read. An event is converted into its form for the log at once: a chunk of parsed objects would burden the
 * garbage collector.
 */
export type ReadLine = { readonly line: number } & (
  | Exclude<ImportRecord, { kind: 'event' }>
  | { readonly kind: 'event'; readonly event: LoggableEvent }
);

/** Lines that are written together: first the persons, then the events. */
export interface WriteStep {
  readonly persons: ImportedPerson[];
  readonly events: LoggableEvent[];
}

/** The reasons for refused persons, by their index among the persons of all steps. */
export type RefusedPersons = ReadonlyMap<number, string>;

/** Returns the persons of those distinct ids that have one. */
export type FindOwners = (distinctIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Divides lines into steps that change persons as if each line were written alone: a step ends before a person that one of its
 * events may concern. Most imports start with their persons, and are one step.
 */
export const writeStepsOf = async (
  lines: readonly ReadLine[],
  findOwners: FindOwners,
): Promise<readonly WriteStep[]> => {
  const links = hasPersonAfterEvent(lines) ? await linksOf(lines, findOwners) : null;
  let last: WriteStep = { persons: [], events: [] };
  const batches = [last];
  const changing = new Set<number>();
  for (const line of lines) {
    if (line.kind === 'refused') continue;
    const [distinctId = ''] = changedIds(line);
    const linked = links?.groupOf(distinctId) ?? 0;
    if (line.kind === 'event') {
      last.events.push(line.event);
      if (line.event.person.process) changing.add(linked);
      continue;
    }
    if (changing.has(linked)) {
      batches.push((last = { persons: [], events: [] }));
      changing.clear();
    }
    last.persons.push(line.person);
  }
  return batches;
};

const hasPersonAfterEvent = (lines: readonly ReadLine[]): boolean => {
  const event = lines.findIndex((line) => line.kind === 'event' && line.event.person.process);
  return event >= 0 && lines.some(({ kind }, at) => at > event && kind === 'person');
};

const linksOf = async (lines: readonly ReadLine[], findOwners: FindOwners): Promise<LinkedIds> => {
  const named = lines.map(changedIds);
  const links = new LinkedIds(await findOwners([...new Set(named.flat())]));
  for (const ids of named) links.joinIds(ids);
  return links;
};

/**
 * Returns the distinct ids whose persons the line may change. They must be in one batch, because the line may make them one
 * person.
 */
const changedIds = (line: ReadLine): readonly string[] => {
  if (line.kind === 'refused') return [];
  if (line.kind === 'person') return line.person.distinctIds;
  const { distinctId, merge, person } = line.event;
  if (!person.process) return [];
  return merge ? [distinctId, merge.otherDistinctId] : [distinctId];
};

interface BatchWriter {
  readonly writePersons: (persons: readonly ImportedPerson[]) => Promise<RefusedPersons>;
  readonly writeEvents: (events: readonly LoggableEvent[]) => Promise<Verdict>;
}

export const writeBatches = async (
  batches: readonly WriteStep[],
  { writePersons, writeEvents }: BatchWriter,
): Promise<Verdict & { readonly refusedPersons: RefusedPersons }> => {
  const refusedPersons = new Map<number, string>();
  let [before, accepted, duplicates] = [0, 0, 0];
  for (const { persons, events } of batches) {
    const refused = persons.length > 0 ? await writePersons(persons) : [];
    for (const [index, detail] of refused) refusedPersons.set(before + index, detail);
    before += persons.length;
    if (events.length === 0) continue;
    const verdict = await writeEvents(events);
    accepted += verdict.accepted;
    duplicates += verdict.duplicates;
  }
  return { accepted, duplicates, refusedPersons };
};
