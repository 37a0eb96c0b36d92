import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../common/project-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { PersonReader } from '../person-reader.js';
import { type PersonDto } from '../person.dto.js';

/** Stores only the id of a changed person: a replay shows its current state, and nothing once it is deleted. */
@Injectable()
export class PersonRedaction implements AnswerRedaction<PersonDto, { readonly id: number }> {
  constructor(private readonly persons: PersonReader) {}

  redact({ id }: PersonDto): { readonly id: number } {
    return { id };
  }

  restore({ id }: { readonly id: number }, project: ProjectContext): Promise<PersonDto> {
    return this.persons.get(project, { id: String(id) });
  }
}
