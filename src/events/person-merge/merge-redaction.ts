import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../common/project-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { mergedPersonsOf } from '../../persons/identity/redirects.js';
import { PersonReader } from '../../persons/person-reader.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { type MergePersonDto } from './person-merge.dto.js';

interface RedactedMerge {
  readonly id: number;
  readonly merged_person_ids: readonly number[];
}

/** Stores only ids: a replay shows the current person, and nothing that was deleted since. */
@Injectable()
export class MergeRedaction implements AnswerRedaction<MergePersonDto, RedactedMerge> {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonReader,
  ) {}

  redact({ id, merged_persons }: MergePersonDto): RedactedMerge {
    return { id, merged_person_ids: merged_persons.map((person) => person.id) };
  }

  async restore({ id, merged_person_ids }: RedactedMerge, project: ProjectContext): Promise<MergePersonDto> {
    const person = await this.persons.get(project, { id: String(id) });
    const sources = merged_person_ids.map(String);
    return { ...person, merged_persons: await mergedPersonsOf(this.postgres, project.id, String(id), sources) };
  }
}
