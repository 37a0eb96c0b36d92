import { Injectable } from '@nestjs/common';
import { type Author } from '../../kernel/access/author.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type MergedInto, personRef } from '../../kernel/identity/person-ref.js';
import { type RemovedPerson, PersonRemoval } from './person-removal.js';
import { type BulkDeleteBody, type BulkDeleteReplyDto, type BulkDeleteResultDto } from './person-writes.dto.js';

/** Deletes many persons together: all that exist, or none at all when an error occurs. */
@Injectable()
export class BulkDeleteService {
  constructor(private readonly removal: PersonRemoval) {}

  async remove(project: ProjectContext, body: BulkDeleteBody, author: Author): Promise<BulkDeleteReplyDto> {
    const { ids, distinct_ids: distinctIds } = body;
    if (ids && distinctIds) throw invalidInput('Send either ids or distinct_ids, not both', 'distinct_ids');
    const options = { delete_events: body.delete_events ?? false };
    if (distinctIds) {
      const unique = [...new Set(distinctIds)];
      return reply(distinctIds, await this.removal.removeByDistinctIds(project, unique, options, author));
    }
    if (!ids) throw required('ids');
    const inputs = ids.map(checkedId);
    const refs = new Map(inputs.map((id, at) => [String(id), personRef(String(id), `ids.${at}`)]));
    const { removed, merged } = await this.removal.removeByRefs(project, refs, options, author);
    return reply(inputs, removed, merged);
  }
}

type WithoutGiven = Pick<BulkDeleteReplyDto, 'deleted'> & {
  readonly results: readonly Omit<BulkDeleteResultDto, 'given'>[];
};

/** Removes the ids of the request before the answer is stored, because a repeated request contains them in the same order. */
export const withoutGiven = ({ deleted, results }: BulkDeleteReplyDto): WithoutGiven => ({
  deleted,
  results: results.map(({ given: _given, ...result }) => result),
});

export const withGiven = (
  { deleted, results }: WithoutGiven,
  { ids, distinct_ids: distinctIds }: BulkDeleteBody,
): BulkDeleteReplyDto => {
  const inputs = (distinctIds ?? ids ?? []) as (string | number)[];
  return { deleted, results: results.map((result, at) => ({ given: inputs[at] ?? '', ...result })) };
};

const checkedId = (id: unknown, at: number): string | number => {
  if (typeof id === 'string' || typeof id === 'number') return id;
  throw invalidInput(`ids.${at} must be the integer id or the uuid of a person`, `ids.${at}`);
};

const reply = (
  inputs: readonly (string | number)[],
  removed: ReadonlyMap<string, RemovedPerson>,
  merged: ReadonlyMap<string, MergedInto> = new Map(),
): BulkDeleteReplyDto => ({
  deleted: new Set([...removed.values()].map(({ id }) => id)).size,
  results: inputs.map((id) => {
    const person = removed.get(String(id));
    const into = merged.get(String(id));
    return {
      given: id,
      result: person ? 'deleted' : into ? 'merged' : 'not_found',
      id: person ? Number(person.id) : null,
      uuid: person?.uuid ?? null,
      deletion_request_id: person?.deletionRequest?.id ?? null,
      ...(into && { merged_into: into }),
    };
  }),
});
