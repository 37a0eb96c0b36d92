import { Body, Controller, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope, projectOf } from '../../kernel/access/access.js';
import { type Author } from '../../kernel/access/author.js';
import { FormatQuery } from '../../platform/csv/format.dto.js';
import { BodyLimit, megabyte } from '../../platform/http/body-limit.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { AnswersPerson } from '../person-format.guard.js';
import { PersonsRepository } from '../reading/persons.repository.js';
import { personRef } from '../../kernel/identity/person-ref.js';
import { type PersonDto } from '../person.dto.js';
import { maxEventNodes } from '../../kernel/event-log/normalise/limits.js';
import { readEditKey, readEditValue } from './edit-input.js';
import {
  DeletePropertyBody,
  DeletePropertyQuery,
  SetPropertiesBody,
  UpdatePropertyBody,
  UpdatePropertyQuery,
} from './person-edits.dto.js';
import { PersonEditsService } from './person-edits.service.js';

const replay = {
  reader: PersonsRepository,
  keep: ({ id }: PersonDto) => ({ id }),
  read: (persons: PersonsRepository, { id }: { readonly id: number }, request: Request) =>
    persons.get(projectOf(request), { id: String(id) }),
  says: 'gets the current person (404 when it is gone)',
};

/** The routes are in this module rather than in the one of persons, because these changes of persons are events. */
@ApiTags('Persons')
@Controller('api/projects/:project_id/persons/:id')
export class PersonEditsController {
  constructor(private readonly edits: PersonEditsService) {}

  @Patch()
  @BodyLimit(megabyte, { nodes: maxEventNodes })
  @RequiresScope('person:write')
  @AnswersPerson()
  @ApiBody({ type: SetPropertiesBody })
  @ApiOperation({ operationId: 'updatePerson', summary: 'Set properties of a person; other properties stay unchanged' })
  update(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() _query: FormatQuery,
    @Body() body: SetPropertiesBody,
    @CurrentAuthor() author: Author,
  ): Promise<PersonDto> {
    return this.edits.update(project, personRef(id), body, author);
  }

  @Post('delete_property')
  @HttpCode(200)
  @RequiresScope('person:write')
  @Idempotent(replay)
  @AnswersPerson()
  @ApiBody({ type: DeletePropertyBody, required: false })
  @ApiOperation({ operationId: 'deletePersonProperty', summary: 'Remove one property of a person' })
  deleteProperty(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() query: DeletePropertyQuery,
    @Body() body: DeletePropertyBody,
    @CurrentAuthor() author: Author,
  ): Promise<PersonDto> {
    return this.edits.deleteProperty(project, personRef(id), readEditKey('$unset', body.$unset, query.$unset), author);
  }

  @Post('update_property')
  @HttpCode(200)
  @BodyLimit(megabyte, { nodes: maxEventNodes })
  @RequiresScope('person:write')
  @Idempotent(replay)
  @AnswersPerson()
  @ApiBody({ type: UpdatePropertyBody, required: false })
  @ApiOperation({ operationId: 'updatePersonProperty', summary: 'Set one property of a person' })
  updateProperty(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() query: UpdatePropertyQuery,
    @Body() body: UpdatePropertyBody,
    @CurrentAuthor() author: Author,
  ): Promise<PersonDto> {
    const value = readEditValue(body.value, query.value);
    const key = readEditKey('key', body.key, query.key);
    return this.edits.setProperties(project, personRef(id), { [key]: value }, 'value', author);
  }
}
