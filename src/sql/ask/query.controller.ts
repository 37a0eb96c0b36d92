import { applyDecorators, Controller, Get, HttpCode, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Question, type QuestionRequest } from '../../filters/asking/questions.js';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { BodyLimit, megabyte } from '../../platform/http/body-limit.js';
import { Accepts } from '../../kernel/access/known-parameters.guard.js';
import { schemaOf } from '../../platform/fields/declaration.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { IdempotentReading } from '../../kernel/idempotency/idempotent.js';
import { queryFormats, queryParameters } from './query-input.js';
import { queryExamples } from './query-examples.js';
import { QueryAnswerDto } from './query.dto.js';
import { ExplainService } from './explain.service.js';
import { ExplainedDto, QuerySchemaDto } from './schema.dto.js';
import { SchemaService } from './schema.service.js';
import { AnswerSender } from './answer-sender.js';

const AsksInSql = (): MethodDecorator =>
  applyDecorators(
    Accepts({ names: Object.keys(queryParameters), unsupported: {} }),
    ApiExtraModels(QueryAnswerDto),
    ApiBody({
      schema: {
        type: 'object',
        required: ['query'],
        properties: Object.fromEntries(
          Object.entries(queryParameters).map(([name, parameter]) => [name, schemaOf(parameter)]),
        ),
      },
      examples: queryExamples,
    }),
  );

/** Answers and explains questions in SQL. */
@ApiTags('SQL')
@Controller('api/projects/:project_id/query')
export class QueryController {
  constructor(
    private readonly answers: AnswerSender,
    private readonly schema: SchemaService,
    private readonly explanations: ExplainService,
  ) {}

  @Post()
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('query:read')
  @IdempotentReading()
  @ApiOperation({ operationId: 'askInSql', summary: 'Answer a question in SQL' })
  @ApiQuery({
    name: 'format',
    required: false,
    schema: { type: 'string', enum: [...queryFormats], default: 'json' },
    description: queryParameters.format.description,
  })
  @ApiOkResponse({
    description: 'In the requested `format`.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(QueryAnswerDto) } },
      'text/csv': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
      'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
    },
  })
  @AsksInSql()
  ask(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question);
  }

  @Get('schema')
  @RequiresScope('query:read')
  @ApiOperation({
    operationId: 'getQuerySchema',
    summary: 'Tables, columns, properties and functions of questions in SQL',
  })
  @ApiOkResponse({ type: QuerySchemaDto })
  readSchema(@CurrentProject() project: ProjectContext, @Now() now: Date): Promise<QuerySchemaDto> {
    return this.schema.read(project, now);
  }

  @Post('explain')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('query:read')
  @IdempotentReading()
  @ApiOperation({ operationId: 'explainInSql', summary: 'What a question in SQL would read' })
  @ApiOkResponse({ type: ExplainedDto })
  @AsksInSql()
  explain(@Question() question: QuestionRequest): Promise<ExplainedDto> {
    return this.explanations.explain(question);
  }
}
