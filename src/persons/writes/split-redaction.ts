import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../common/project-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { PersonReader } from '../person-reader.js';
import { type SplitPersonDto } from './person-writes.dto.js';

interface RedactedSplit {
  readonly id: number;
  readonly split_person_ids: readonly number[];
}

/**
 * Stores only the ids of the persons, which are read again: a replay shows their current state, and nothing that was deleted
 * since.
 */
@Injectable()
export class SplitRedaction implements AnswerRedaction<SplitPersonDto, RedactedSplit> {
  constructor(private readonly persons: PersonReader) {}

  redact({ id, split_persons }: SplitPersonDto): RedactedSplit {
    return { id, split_person_ids: split_persons.map((person) => person.id) };
  }

  async restore({ id, split_person_ids }: RedactedSplit, project: ProjectContext): Promise<SplitPersonDto> {
    return {
      ...(await this.persons.get(project, { id: String(id) })),
      split_persons: await this.persons.byIds(project, split_person_ids.map(String)),
    };
  }
}
