import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../common/access/access.js';
import { Project } from '../common/http/request-context.js';
import { type ProjectContext } from '../common/project-context.js';
import { PersonDto } from './person.dto.js';
import { personRef } from './person-ref.js';
import { PersonRows } from './person-rows.js';

@ApiTags('Persons')
@Controller('api/projects/:project_id/persons')
export class PersonsController {
  constructor(private readonly persons: PersonRows) {}

  @Get(':id')
  @RequiresScope('person:read')
  @ApiParam({ name: 'id', description: 'The integer id or the uuid.', example: '41' })
  @ApiOperation({ operationId: 'getPerson', summary: 'One person' })
  @ApiOkResponse({ type: PersonDto })
  get(@Project() project: ProjectContext, @Param('id') id: string): Promise<PersonDto> {
    return this.persons.get(project, personRef(id));
  }
}
