import { Injectable } from '@nestjs/common';
import { type Slice } from '../../common/pagination/page.js';
import { type ProjectContext } from '../../common/project-context.js';
import { type PersonRef } from '../../persons/person-ref.js';
import { distinctIdsInList, PersonReader } from '../../persons/person-reader.js';
import { type ListedMerge, listMerges, whyNotUndone } from '../../persons/undo/merge-list.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { type MergesQuery, type PersonMergeDto } from './person-undo.dto.js';

/** Lists the merges of a person. */
@Injectable()
export class PersonMerges {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonReader,
  ) {}

  async list(project: ProjectContext, ref: PersonRef, query: MergesQuery, now: Date): Promise<Slice<PersonMergeDto>> {
    const { id } = await this.persons.get(project, ref);
    const page = { ...query, idsShown: distinctIdsInList };
    const { count, merges } = await listMerges(this.postgres, project.id, String(id), page);
    return { count, results: merges.map((merge) => toDto(merge, now)) };
  }
}

const toDto = (merge: ListedMerge, now: Date): PersonMergeDto => {
  const whyNot = whyNotUndone(merge, now);
  return {
    id: Number(merge.id),
    merged: {
      id: Number(merge.merged),
      uuid: merge.merged_uuid,
      distinct_ids: [...merge.first_ids],
      distinct_id_count: merge.distinct_ids,
    },
    survivor_id: Number(merge.survivor),
    merged_at: merge.merged_at.toISOString(),
    reason: merge.reason,
    undone_at: merge.undone_at?.toISOString() ?? null,
    can_undo: whyNot === null,
    why_not: whyNot,
  };
};
