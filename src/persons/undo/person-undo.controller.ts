import { Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, Now, RequiresScope, projectOf } from '../../kernel/access/access.js';
import { RawBody } from '../../platform/http/body-limit.js';
import { type Author } from '../../kernel/access/author.js';
import { FormatQuery } from '../../platform/csv/format.dto.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { AnswersPerson, PersonIdParam } from '../person-format.guard.js';
import { PersonsRepository } from '../reading/persons.repository.js';
import { personRef } from '../../kernel/identity/person-ref.js';
import { idsOfMerge, PersonMergeService } from '../merge/person-merge.service.js';
import { PersonMergeDto, UnmergePersonDto, UnsplitPersonDto } from './person-undo.dto.js';
import { PersonUndoService } from './person-undo.service.js';

/** The routes are in this module because an undo reads the changes since a merge from the event log. */
@ApiTags('Persons')
@Controller('api/projects/:project_id/persons/:id')
export class PersonUndoController {
  constructor(private readonly undo: PersonUndoService) {}

  @Get('merges')
  @RequiresScope('person:read')
  @PersonIdParam()
  @ApiOperation({
    operationId: 'listPersonMerges',
    summary: 'Merges of the last 90 days that made the person, newest first',
    description:
      'Contains the merges into the person and into persons that were merged into it later, and its own merges that were undone.',
  })
  @ApiOkResponse({ type: PageDto(PersonMergeDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() query: PageQuery,
    @Now() now: Date,
  ): Promise<Page<PersonMergeDto>> {
    return pageOf(request, query, await this.undo.listMerges(project, personRef(id), query, now));
  }

  @Post('merges/:merge_id/undo')
  @HttpCode(200)
  @RawBody()
  @RequiresScope('person:write')
  @Idempotent({
    reader: PersonsRepository,
    keep: ({ id, restored_person }: UnmergePersonDto) => ({ id, restored_person_id: restored_person.id }),
    read: async (persons, { id, restored_person_id: restored }, request) => ({
      ...(await persons.get(projectOf(request), { id: String(id) })),
      restored_person: await persons.get(projectOf(request), { id: String(restored) }),
    }),
    says: 'gets the current persons (404 when one of them is gone or was merged again)',
  })
  @AnswersPerson(UnmergePersonDto)
  @ApiParam({ name: 'merge_id', schema: { type: 'integer' } })
  @ApiOperation({
    operationId: 'undoPersonMerge',
    summary: 'Take a merge of a person apart',
    description:
      'The merged person comes back with its id, uuid, distinct ids, past events, static cohorts and properties, and with what its ' +
      'ids have set since. What came by its ids since (other ids, merged persons) goes with it. Possible for 90 days, in any order.',
  })
  undoMerge(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Param('merge_id') mergeId: string,
    @Query() _query: FormatQuery,
    @CurrentAuthor() author: Author,
  ): Promise<UnmergePersonDto> {
    return this.undo.undoMerge(project, personRef(id), mergeId, author);
  }

  @Post('split/undo')
  @HttpCode(200)
  @RawBody()
  @RequiresScope('person:write')
  @Idempotent({
    reader: PersonMergeService,
    keep: idsOfMerge,
    read: (merges, kept, request) => merges.current(projectOf(request), kept),
    says: 'gets the current person (404 when the person is gone), and the persons merged then,',
  })
  @AnswersPerson(UnsplitPersonDto)
  @ApiOperation({
    operationId: 'undoPersonSplit',
    summary: 'Undo the latest split of a person',
    description:
      'The persons that the split made, and that still exist, become part of the person again, which has the properties from before ' +
      'the split and all that was set since. Possible for 90 days.',
  })
  undoSplit(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() _query: FormatQuery,
    @CurrentAuthor() author: Author,
  ): Promise<UnsplitPersonDto> {
    return this.undo.undoSplit(project, personRef(id), author);
  }
}
