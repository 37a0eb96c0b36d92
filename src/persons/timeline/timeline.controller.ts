import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { ApiJsonOrCsv } from '../../platform/csv/format.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { sendPerson } from '../csv/send-persons-csv.js';
import { personRef } from '../../kernel/identity/person-ref.js';
import { TimelineDto, TimelineQuery } from './timeline.dto.js';
import { PropertiesTimeline } from './properties-timeline.js';

const columns = ['points', 'crucial_property_keys', 'date_from', 'date_to'];

@ApiTags('Persons')
@Controller('api/projects/:project_id/persons/:id/properties_timeline')
export class TimelineController {
  constructor(private readonly timeline: PropertiesTimeline) {}

  @Get()
  @RequiresScope('person:read')
  @ApiParam({ name: 'id', description: 'The integer id or the uuid.', schema: { type: 'string' } })
  @ApiOperation({
    operationId: 'getPersonPropertiesTimeline',
    summary: 'How the crucial properties of a person changed between relevant events',
    description:
      'Replayed from the event log of the distinct ids that belong to the person now. A property that no event set, for example an imported one, counts as present from the start.',
  })
  @ApiJsonOrCsv(TimelineDto)
  async get(
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Query() query: TimelineQuery,
    @Now() now: Date,
  ): Promise<void> {
    await sendPerson(response, query.format, await this.timeline.of(project, personRef(id), query, now), columns);
  }
}
