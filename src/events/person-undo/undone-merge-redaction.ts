import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../common/project-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { PersonReader } from '../../persons/person-reader.js';
import { type UnmergePersonDto } from './person-undo.dto.js';

interface RedactedUndo {
  readonly id: number;
  readonly restored_person_id: number;
}

/** Stores only ids: a replay shows the current persons, and nothing that was deleted since. */
@Injectable()
export class UndoneMergeRedaction implements AnswerRedaction<UnmergePersonDto, RedactedUndo> {
  constructor(private readonly persons: PersonReader) {}

  redact({ id, restored_person }: UnmergePersonDto): RedactedUndo {
    return { id, restored_person_id: restored_person.id };
  }

  async restore({ id, restored_person_id }: RedactedUndo, project: ProjectContext): Promise<UnmergePersonDto> {
    return {
      ...(await this.persons.get(project, { id: String(id) })),
      restored_person: await this.persons.get(project, { id: String(restored_person_id) }),
    };
  }
}
