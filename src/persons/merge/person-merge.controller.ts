import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuthor, CurrentProject, RequiresScope, projectOf } from '../../kernel/access/access.js';
import { type Author } from '../../kernel/access/author.js';
import { FormatQuery } from '../../platform/csv/format.dto.js';
import { BodyLimit, megabyte } from '../../platform/http/body-limit.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { AnswersPerson } from '../person-format.guard.js';
import { personRef } from '../../kernel/identity/person-ref.js';
import { MergePersonBody, MergePersonDto } from './person-merge.dto.js';
import { idsOfMerge, PersonMergeService } from './person-merge.service.js';

/** The route is in this module because the rules of captured merges decide here too. */
@ApiTags('Persons')
@Controller('api/projects/:project_id/persons/:id')
export class PersonMergeController {
  constructor(private readonly merging: PersonMergeService) {}

  @Post('merge')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('person:write')
  @Idempotent({
    reader: PersonMergeService,
    keep: idsOfMerge,
    read: (merges, kept, request) => merges.current(projectOf(request), kept),
    says: 'gets the current person (404 when the person is gone or was merged itself), and the persons merged then,',
  })
  @AnswersPerson(MergePersonDto)
  @ApiBody({
    type: MergePersonBody,
    examples: {
      distinct_ids: { summary: 'By distinct ids', value: { distinct_ids: ['ada-2'] } },
      persons: { summary: 'By ids or uuids', value: { persons: [42] } },
    },
  })
  @ApiOperation({
    operationId: 'mergePerson',
    summary: 'Merge other persons into a person',
    description:
      'Works as the event `$merge_dangerously`: all distinct ids and past events go to the person, whose own property values ' +
      'win, and the other persons no longer exist. All persons are merged, or none.',
  })
  merge(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() _query: FormatQuery,
    @Body() body: MergePersonBody,
    @CurrentAuthor() author: Author,
  ): Promise<MergePersonDto> {
    return this.merging.merge(project, personRef(id), body, author);
  }
}
