import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Response } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope, projectOf } from '../kernel/access/access.js';
import { type Author } from '../kernel/access/author.js';
import { FormatQuery } from '../platform/csv/format.dto.js';
import { BodyLimit, megabyte } from '../platform/http/body-limit.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Idempotent } from '../kernel/idempotency/idempotent.js';
import { AnswersPerson, PersonIdParam } from './person-format.guard.js';
import { PersonDto } from './person.dto.js';
import { personRef } from '../kernel/identity/person-ref.js';
import { PersonsRepository } from './reading/persons.repository.js';
import { BulkDeleteService, withGiven, withoutGiven } from './writes/bulk-delete.service.js';
import { PersonRemoval } from './writes/person-removal.js';
import { PersonSplit } from './writes/person-split.js';
import {
  BulkDeleteBody,
  BulkDeleteReplyDto,
  DeleteEventsReplyDto,
  DeletePersonQuery,
  SplitPersonBody,
  SplitPersonDto,
} from './writes/person-writes.dto.js';

@ApiTags('Persons')
@Controller('api/projects/:project_id/persons')
export class PersonsController {
  constructor(
    private readonly persons: PersonsRepository,
    private readonly removal: PersonRemoval,
    private readonly bulkDelete: BulkDeleteService,
    private readonly splitting: PersonSplit,
  ) {}

  @Post('bulk_delete')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('person:write')
  @Idempotent({ keep: withoutGiven, read: (_, kept, request) => withGiven(kept, request.body as BulkDeleteBody) })
  @ApiOperation({ operationId: 'deletePersons', summary: 'Delete up to 1,000 persons together' })
  @ApiOkResponse({ type: BulkDeleteReplyDto })
  removeMany(
    @CurrentProject() project: ProjectContext,
    @Body() body: BulkDeleteBody,
    @CurrentAuthor() author: Author,
  ): Promise<BulkDeleteReplyDto> {
    return this.bulkDelete.remove(project, body, author);
  }

  @Get(':id')
  @RequiresScope('person:read')
  @AnswersPerson()
  @ApiOperation({ operationId: 'getPerson', summary: 'One person' })
  get(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() _query: FormatQuery,
  ): Promise<PersonDto> {
    return this.persons.get(project, personRef(id));
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('person:write')
  @PersonIdParam()
  @ApiOperation({
    operationId: 'deletePerson',
    summary: 'Delete a person and, with delete_events, its events',
    description:
      'Without `delete_events` the events stay: insights count them, and they belong to no person until one of the distinct ids is used again. `POST persons/{id}/delete_events` deletes events and keeps the person.',
  })
  @ApiNoContentResponse({
    description: 'The person is deleted; its distinct ids are free.',
    headers: { Location: { description: 'The deletion request for the events.', schema: { type: 'string' } } },
  })
  async remove(
    @Res({ passthrough: true }) response: Response,
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() query: DeletePersonQuery,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    const { location } = await this.removal.remove(project, personRef(id), query, author);
    if (location !== null) response.location(location);
  }

  @Post(':id/delete_events')
  @HttpCode(202)
  @RequiresScope('person:write')
  @PersonIdParam()
  @Idempotent()
  @ApiOperation({
    operationId: 'deletePersonEvents',
    summary: 'Delete the events of a person, and keep the person',
    description: 'All events of its distinct ids that were received until now are deleted in the next run.',
  })
  @ApiAcceptedResponse({ type: DeleteEventsReplyDto })
  async removeEvents(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @CurrentAuthor() author: Author,
  ): Promise<DeleteEventsReplyDto> {
    return { deletion_request_id: (await this.removal.removeEvents(project, personRef(id), author)).id };
  }

  @Post(':id/split')
  @HttpCode(200)
  @BodyLimit(5 * megabyte, { nodes: 10_100 })
  @RequiresScope('person:write')
  @Idempotent({
    reader: PersonsRepository,
    keep: ({ id, split_persons: made }: SplitPersonDto) => ({ id, split_person_ids: made.map((person) => person.id) }),
    read: async (persons, { id, split_person_ids: made }, request) => ({
      ...(await persons.get(projectOf(request), { id: String(id) })),
      split_persons: await persons.byIds(projectOf(request), made.map(String)),
    }),
    says: 'gets the current persons, without those that are gone (404 when the person itself is gone)',
  })
  @AnswersPerson(SplitPersonDto)
  @ApiBody({ type: SplitPersonBody, required: false })
  @ApiOperation({ operationId: 'splitPerson', summary: 'Make distinct ids of a person separate persons' })
  split(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() _query: FormatQuery,
    @Body() body: SplitPersonBody,
    @CurrentAuthor() author: Author,
  ): Promise<SplitPersonDto> {
    return this.splitting.split(project, personRef(id), body, author);
  }
}
