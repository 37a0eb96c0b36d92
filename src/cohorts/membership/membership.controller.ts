import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Requester } from '../../kernel/access/author.js';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { IdempotentReading } from '../../kernel/idempotency/idempotent.js';
import { MembershipBody, MembershipsDto } from './membership.dto.js';
import { MembershipService } from './membership.service.js';

@ApiTags('Cohorts')
@Controller('api/projects/:project_id/cohorts/membership')
export class MembershipController {
  constructor(private readonly memberships: MembershipService) {}

  @Post()
  @HttpCode(200)
  @RequiresScope('cohort:read', 'person:read')
  @IdempotentReading()
  @ApiOperation({
    operationId: 'checkMembership',
    summary: 'Which persons, or which groups, are in which cohorts',
    description:
      'Fast enough for the path of a request: it reads what the last calculation of each cohort found, with every merge, deletion and edit since, ' +
      'and does not wait for events that were sent after it. Groups need the scope `group:read` too.',
  })
  @ApiOkResponse({ type: MembershipsDto })
  check(
    @CurrentProject() project: ProjectContext,
    @Body() body: MembershipBody,
    @CurrentAuthor() { scopes }: Requester,
  ): Promise<MembershipsDto> {
    return this.memberships.check(project, body, scopes);
  }
}
