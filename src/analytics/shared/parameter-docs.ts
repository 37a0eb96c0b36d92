import { applyDecorators, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ApiJsonOrCsv } from '../../common/csv/format.dto.js';
import { Accepts } from '../../common/http/known-parameters.interceptor.js';
import { contextOf, signalOfClient } from '../../common/http/request-context.js';
import { schemaOf, type Parameters } from '../../common/params/parameter.js';
import { type ProjectContext } from '../../common/project-context.js';
import { InsightPageDto } from './insight-page.dto.js';
import { Params } from './question-params.js';

/** A request for an insight, by GET or POST. */
export interface QuestionRequest {
  readonly project: ProjectContext;
  readonly params: Params;
  readonly now: Date;
  /** Aborts when the client disconnects before the answer, so that its statements stop. */
  readonly signal: AbortSignal;
  readonly request: Request;
  readonly response: Response;
}

export const Question = createParamDecorator((_: unknown, host: ExecutionContext): QuestionRequest => {
  const http = host.switchToHttp();
  const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
  const { project, now } = contextOf(request);
  if (project === null) throw new Error('a question needs a project: does the route require a key?');
  const fields: unknown = request.method === 'POST' ? request.body : {};
  const body = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  const signal = signalOfClient(response);
  return { project: { ...project, signal }, params: Params.of(request.query, body), now, signal, request, response };
});

export interface InsightDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: Parameters;
  readonly insight: Type<object>;
  /** A question that the demo project can answer; "Execute" in the Swagger page sends this question. */
  readonly example: Readonly<Record<string, unknown>>;
}

const described = ({ operationId, summary, insight, parameters }: InsightDescription) =>
  applyDecorators(
    ApiOperation({ operationId, summary }),
    ApiJsonOrCsv(InsightPageDto(insight)),
    Accepts({ names: Object.keys(parameters), unsupported: unsupportedParameters }),
  );

const onlyPersons = 'there are no groups here, questions are about persons';

const unsupportedParameters = {
  aggregation_group_type_index: onlyPersons,
  breakdown_group_type_index: onlyPersons,
  explicit_date: 'dates always mean the same: a date includes the whole day',
  include_recordings: 'there are no session recordings here',
  sampling_factor: 'every answer counts all events',
};

/** Whether a query string carries the parameter as JSON text. A list of texts may be documented as a single text. */
const isJsonText = ({ json, schema }: Parameters[string]): boolean =>
  json === true && !('type' in schema && schema.type === 'string');

/** Documents a question in the query string. */
export const QuestionByGet = (description: InsightDescription): MethodDecorator =>
  applyDecorators(
    described(description),
    ...Object.entries(description.parameters).map(([name, parameter]) => {
      const { description: text, schema } = parameter;
      const json = isJsonText(parameter);
      const value = description.example[name];
      const example = json && value !== undefined ? JSON.stringify(value) : value;
      return ApiQuery({
        name,
        required: false,
        description: json ? `${text} JSON text.` : text,
        schema: { ...(json ? { type: 'string' } : schema), ...(example === undefined ? {} : { example }) },
      });
    }),
  );

/** Documents the same question as a JSON body. */
export const QuestionByPost = (description: InsightDescription): MethodDecorator =>
  applyDecorators(
    described(description),
    ApiBody({
      required: false,
      schema: {
        type: 'object',
        example: description.example,
        properties: Object.fromEntries(
          Object.entries(description.parameters).map(([name, parameter]) => [name, schemaOf(parameter)]),
        ),
      },
    }),
  );
