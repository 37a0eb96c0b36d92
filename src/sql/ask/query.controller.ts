import { applyDecorators, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Question, type QuestionRequest } from '../../filters/asking/questions.js';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { BodyLimit, megabyte } from '../../platform/http/body-limit.js';
import { Accepts } from '../../kernel/access/known-parameters.guard.js';
import { propertySchemas } from '../../platform/fields/declaration.js';
import { ignoring, type Schemas } from '../../platform/fields/schema.js';
import { presentationNames } from '../../platform/http/presentation-names.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { IdempotentReading } from '../../kernel/idempotency/idempotent.js';
import { queryParameters } from './query-input.js';
import { queryExamples } from './query-examples.js';
import { QueryAnswerDto } from './query.dto.js';
import { ExplainService } from './explain.service.js';
import { ExplainedDto, QuerySchemaDto } from './schema.dto.js';
import { SchemaService } from './schema.service.js';

interface SentBeside {
  readonly properties: Schemas;
  readonly unsupported: Readonly<Record<string, string>>;
}

const nothingBeside: SentBeside = { properties: {}, unsupported: {} };

/** Documents a question in SQL, and what may be sent beside it without an effect. */
export const AsksInSql = ({ properties, unsupported }: SentBeside = nothingBeside): MethodDecorator =>
  applyDecorators(
    Accepts({ names: [...Object.keys(queryParameters), ...Object.keys(properties)], unsupported }),
    ApiExtraModels(QueryAnswerDto),
    ApiBody({
      schema: ignoring(
        {
          type: 'object',
          required: ['query'],
          properties: { ...propertySchemas(queryParameters), ...properties },
        },
        presentationNames,
      ),
      examples: queryExamples,
    }),
  );

/** Explains questions in SQL, and describes what they may read. */
@ApiTags('SQL')
@Controller('api/projects/:project_id/query')
export class QueryController {
  constructor(
    private readonly schema: SchemaService,
    private readonly explanations: ExplainService,
  ) {}

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
