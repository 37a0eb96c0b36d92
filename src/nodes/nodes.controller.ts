import { Controller, Delete, Get, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiExcludeEndpoint,
  ApiExtension,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Question, type QuestionRequest } from '../filters/asking/questions.js';
import { RequiresScope } from '../kernel/access/access.js';
import { Accepts } from '../kernel/access/known-parameters.guard.js';
import { IdempotentReading } from '../kernel/idempotency/idempotent.js';
import { notFound } from '../platform/errors/problem.js';
import { BodyLimit, megabyte } from '../platform/http/body-limit.js';
import { queryFormats, queryParameters } from '../sql/ask/query-input.js';
import { AsksInSql } from '../sql/ask/query.controller.js';
import { QueryAnswerDto } from '../sql/ask/query.dto.js';
import { NodeAnswerDto } from './node.dto.js';
import { nodeExample, nodeRequest, sentBesideNodes } from './node-request.js';
import { NodeResponder } from './node-responder.js';

const atOnce = 'there is no such query: every answer comes at once, with the request that asks';

/** Answers questions in SQL, and the nodes of the reference product. */
@ApiTags('SQL')
@Controller('api/projects/:project_id/query')
export class NodesController {
  constructor(private readonly answers: NodeResponder) {}

  @Post()
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('query:read')
  @IdempotentReading()
  @ApiOperation({
    operationId: 'askInSql',
    summary: 'Answer a question in SQL',
    description: 'A node of another kind than `HogQLQuery` is answered as by `askNode`.',
  })
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
  @AsksInSql(sentBesideNodes)
  ask(@Question() question: QuestionRequest): Promise<void> {
    return this.answers.send(question);
  }

  @Post(':query')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('query:read')
  @IdempotentReading()
  @ApiOperation({
    operationId: 'askNode',
    summary: 'Answer a node of the reference product, such as a TrendsQuery',
    description:
      'The same as `POST query` with this node, in the form of the reference product. `docs/query-nodes.md` says what becomes of each field.',
  })
  @ApiParam({ name: 'query', description: 'The kind of the node, such as TrendsQuery.', schema: { type: 'string' } })
  @ApiBody({ schema: nodeRequest, examples: { trends: { summary: 'Paid orders by day', value: nodeExample } } })
  @ApiOkResponse({ type: NodeAnswerDto })
  @ApiExtension('x-also-answers', '/api/projects/{project_id}/query')
  @Accepts({ names: ['query', ...Object.keys(sentBesideNodes.properties)], unsupported: sentBesideNodes.unsupported })
  askNode(@Question() question: QuestionRequest, @Param('query') kind: string): Promise<void> {
    return this.answers.sendKind(question, kind);
  }

  @Get(':query')
  @HttpCode(HttpStatus.NOT_FOUND)
  @RequiresScope('query:read')
  @ApiOperation({ operationId: 'getQueryStatus' })
  @ApiExcludeEndpoint()
  status(@Param('query') _id: string): never {
    throw notFound(atOnce);
  }

  @Delete(':query')
  @HttpCode(HttpStatus.NOT_FOUND)
  @RequiresScope('query:read')
  @ApiOperation({ operationId: 'cancelQuery' })
  @ApiExcludeEndpoint()
  cancel(@Param('query') _id: string): never {
    throw notFound(atOnce);
  }
}
