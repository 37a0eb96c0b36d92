import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { maxGroupTypes } from '../../kernel/projection/named-groups.js';
import { ListBody } from '../../platform/http/body.guard.js';
import { listSchema } from '../../platform/fields/schema.js';
import { GroupTypeDto, groupTypeNames } from './group-type.dto.js';
import { GroupTypesService } from './group-types.service.js';

@ApiTags('Groups')
@Controller('api/projects/:project_id/groups_types')
export class GroupTypesController {
  constructor(private readonly types: GroupTypesService) {}

  @Get()
  @RequiresScope('group:read')
  @ApiOperation({
    operationId: 'listGroupTypes',
    summary: 'The types of groups, such as companies, in the order in which they came',
    description: `The first event that names a type in \`$groups\`, or describes a group of it, makes the type. A project has at most ${maxGroupTypes}.`,
  })
  @ApiOkResponse({ type: [GroupTypeDto] })
  list(@CurrentProject() project: ProjectContext): Promise<GroupTypeDto[]> {
    return this.types.list(project);
  }

  @Patch('update_metadata')
  @ListBody()
  @RequiresScope('group:write')
  @ApiBody({
    schema: {
      ...listSchema(groupTypeNames.schema, maxGroupTypes),
      example: [{ group_type_index: 0, name_singular: 'Company', name_plural: 'Companies' }],
    },
  })
  @ApiOperation({ operationId: 'updateGroupTypes', summary: 'Change the names under which people see types of groups' })
  @ApiOkResponse({ type: [GroupTypeDto] })
  rename(
    @CurrentProject() project: ProjectContext,
    @Body() body: unknown,
    @CurrentAuthor() author: Author,
  ): Promise<GroupTypeDto[]> {
    return this.types.rename(project, body, author);
  }
}
