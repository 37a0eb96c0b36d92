import { invalidInput, Problem } from '../../platform/errors/problem.js';
import { distinctIdsInRecord, humanFirst } from '../reading/persons.repository.js';
import { maxLeavingIds, type SplitPersonBody } from './person-writes.dto.js';

/** The ids that are to leave a person: the named ones, or all but one. */
export interface SplitRequest {
  /** Null for the first id that does not look generated; undefined when the request does not choose an id. */
  readonly mainDistinctId: string | null | undefined;
  readonly distinctIdsToSplit: readonly string[] | null;
}

export const readSplit = ({ main_distinct_id: main, distinct_ids_to_split: named }: SplitPersonBody): SplitRequest => {
  if (typeof main === 'string' && Array.isArray(named)) {
    throw invalidInput('Send either main_distinct_id or distinct_ids_to_split, not both', 'distinct_ids_to_split');
  }
  return { mainDistinctId: main, distinctIdsToSplit: named ?? null };
};

/**
 * Returns the ids that leave the person, in the order they were added. A request that chooses no ids is refused, because it would
 * split the person by mistake; a person with one id cannot be split.
 */
export const leavingIds = (
  ids: readonly string[],
  { mainDistinctId: main, distinctIdsToSplit: requested }: SplitRequest,
): string[] => {
  if (main === undefined && requested === null && ids.length > 1) throw nothingChosen(ids);
  const leaving = requested === null ? allBut(ids, main ?? null) : named(ids, requested);
  if (ids.length <= 1) return [];
  if (leaving.length === ids.length) {
    throw invalidInput(
      'distinct_ids_to_split names every id of the person: at least one must stay',
      'distinct_ids_to_split',
    );
  }
  if (leaving.length > maxLeavingIds) {
    throw invalidInput(
      `${leaving.length} distinct ids would leave, but at most ${maxLeavingIds} can leave in one request: ` +
        `name up to ${maxLeavingIds} of them in distinct_ids_to_split, and repeat`,
      'distinct_ids_to_split',
    );
  }
  return leaving;
};

const allBut = (ids: readonly string[], main: string | null): string[] => {
  if (main !== null && !ids.includes(main)) {
    throw invalidInput(
      `main_distinct_id must be a distinct id of this person; this is not: ${quoted(main)}`,
      'main_distinct_id',
    );
  }
  const staying = main ?? humanFirst(ids)[0];
  return ids.filter((id) => id !== staying);
};

const named = (ids: readonly string[], requested: readonly string[]): string[] => {
  const own = new Set(ids);
  const unknown = requested.filter((id) => !own.has(id));
  if (unknown.length > 0) {
    const some = unknown.slice(0, 5).map(quoted).join(', ');
    const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
    throw invalidInput(
      `distinct_ids_to_split must name distinct ids of this person; these are not: ${some}${more}`,
      'distinct_ids_to_split',
    );
  }
  const chosen = new Set(requested);
  return ids.filter((id) => chosen.has(id));
};

/** The text of the error names at most this many ids. */
const idsInDetail = 20;

const nothingChosen = (ids: readonly string[]): Problem => {
  const shown = humanFirst(ids).slice(0, distinctIdsInRecord);
  const some = shown.slice(0, idsInDetail).map(quoted).join(', ');
  const more = ids.length > idsInDetail ? ` and ${ids.length - idsInDetail} more` : '';
  return new Problem(
    400,
    'validation_error',
    'required',
    'name the id that stays in main_distinct_id (null keeps the first of this list), or the ids that leave in ' +
      `distinct_ids_to_split; the distinct ids of this person are ${some}${more}`,
    'main_distinct_id',
    {},
    { distinct_ids: shown },
  );
};

const quoted = (id: string): string => JSON.stringify(id);
