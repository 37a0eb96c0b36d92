import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequiresScope } from '../common/access/access.js';
import { Answers } from './asking/answers.js';
import { AskedByGet, Question, type AskedQuestion } from './asking/parameters.js';
import { StickinessDto } from './stickiness/stickiness.dto.js';
import { stickinessParameters } from './stickiness/stickiness.parameters.js';
import { StickinessService } from './stickiness/stickiness.service.js';

/** Rows 12–21. Their prefix is that of persons, because persons are what every answer ends in. */
@ApiTags('Insights')
@Controller('api/projects/:project_id/persons')
export class AnalyticsController {
  constructor(
    private readonly answers: Answers,
    private readonly stickiness: StickinessService,
  ) {}

  @Get('stickiness')
  @RequiresScope('person:read')
  @AskedByGet({
    operationId: 'getStickiness',
    summary: 'On how many intervals persons were active',
    parameters: stickinessParameters,
    insight: StickinessDto,
  })
  getStickiness(@Question() question: AskedQuestion): Promise<void> {
    return this.answers.send(question, this.stickiness.ask(question));
  }
}
