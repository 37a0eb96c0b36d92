import { applyDecorators, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ApiJsonOrCsv } from '../../common/csv/format.js';
import { contextOf, signalOfClient } from '../../common/http/request-context.js';
import { type ProjectContext } from '../../common/project-context.js';
import { intervals } from '../../common/time/intervals.js';
import { filterLimits } from '../../filters/filter-limits.js';
import { maxPatternLength, maxTextLength } from '../../filters/leaf-values.js';
import { maxBreakdownCohorts, maxBreakdownKeys } from './breakdown.js';
import { maxAlternatives, maxEntities } from './entity.js';
import { InsightPageDto } from './insight-page.dto.js';
import { Params } from './question-params.js';

/** A question as it came, by GET or POST. */
export interface AskedQuestion {
  readonly project: ProjectContext;
  readonly params: Params;
  readonly now: Date;
  /** Aborts when the client goes away before its answer: the work for it can stop. */
  readonly signal: AbortSignal;
  readonly request: Request;
  readonly response: Response;
}

export const Question = createParamDecorator((_: unknown, host: ExecutionContext): AskedQuestion => {
  const http = host.switchToHttp();
  const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
  const { project, now } = contextOf(request);
  if (project === null) throw new Error('a question is asked of a project: does the route ask for a key?');
  const fields: unknown = request.method === 'POST' ? request.body : {};
  const body = typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  const signal = signalOfClient(response);
  return { project: { ...project, signal }, params: Params.of(request.query, body), now, signal, request, response };
});

type Schema = NonNullable<Extract<ApiQueryOptions, { schema: unknown }>['schema']>;

export interface Parameter {
  readonly description: string;
  readonly schema: Schema;
  /** A list or object: JSON text in a query string, itself in a body. */
  readonly json?: boolean;
  readonly example?: unknown;
}

export type Parameters = Readonly<Record<string, Parameter>>;

const list: Schema = { type: 'array', items: {}, maxItems: maxEntities };

const count = (number: number): string => number.toLocaleString('en');

/** What all lists of a question may come to together. */
const inAll = `All filters of a question together: at most ${count(filterLimits.filters)} filters (those around \`any_of\` counted for each part), ${count(filterLimits.values)} values (${count(filterLimits.comparisons)} where the operator is neither \`exact\` nor \`is_not\`), ${count(filterLimits.patterns)} regular expressions and ${count(filterLimits.characters)} characters; each key and value has at most ${count(maxTextLength)} characters, a regular expression ${count(maxPatternLength)}.`;

/** Every insight takes them. */
export const commonParameters: Parameters = {
  events: {
    description:
      'What is counted: a list of `{"id":"signed up"}`; `"id":null` is any event, `any_of` in place of `id` matches if one of its parts does. Each may have `name`, `order`, `properties` and what the insight adds. ' +
      `At most ${maxAlternatives} events in all, each part of \`any_of\` counted.`,
    schema: list,
    json: true,
    example: [{ id: '$pageview' }],
  },
  date_from: {
    description: 'ISO date, `all`, or relative such as `-7d`, `-24h`, `mStart`; in the project’s time zone.',
    schema: { type: 'string', default: '-7d' },
    example: '-30d',
  },
  date_to: { description: 'Like `date_from`; a day is meant as a whole.', schema: { type: 'string' }, example: 'now' },
  interval: { description: 'Length of a point.', schema: { type: 'string', enum: [...intervals], default: 'day' } },
  properties: {
    description: `Filters that every event must pass: a list (all of them) or a group of them. ${inAll}`,
    schema: {},
    json: true,
    example: [],
  },
  filter_test_accounts: {
    description: 'Adds the project’s `test_account_filters`.',
    schema: { type: 'boolean', default: false },
  },
  search: {
    description: 'Of the persons: e-mail or name contains it, or it is a distinct id.',
    schema: { type: 'string' },
  },
  include: {
    description: 'One half only: the `insight`, or the envelope of `persons`.',
    schema: { type: 'string', enum: ['insight', 'persons'] },
  },
  limit: { description: 'Persons per page.', schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 } },
  offset: { description: 'Persons to skip.', schema: { type: 'integer', minimum: 0, default: 0 } },
  format: {
    description:
      'csv streams every person behind the answer. Of properties the 1,000 most frequent have columns; any others stand in the last column, `properties`, as JSON.',
    schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
  },
};

export const breakdownParameters: Parameters = {
  breakdown: {
    description: `Property key or list of them, ${maxBreakdownKeys} at most; for cohorts a list of ids, ${maxBreakdownCohorts} at most, \`all\` being everyone.`,
    schema: {},
    json: true,
    example: '$browser',
  },
  breakdown_type: {
    description: 'Whose property it is.',
    schema: { type: 'string', enum: ['event', 'person', 'cohort'], default: 'event' },
  },
  breakdown_value: { description: 'Persons of this value only; `""` is a missing one.', schema: {}, json: true },
  breakdown_limit: {
    description: 'The most frequent so many; the rest is "Other".',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 25 },
  },
};

export interface InsightDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: Parameters;
  readonly insight: Type<object>;
  /** A question that the demo project has an answer to: what "Execute" asks in the Swagger page. */
  readonly example: Readonly<Record<string, unknown>>;
}

const described = ({ operationId, summary, insight }: InsightDescription) =>
  applyDecorators(ApiOperation({ operationId, summary }), ApiJsonOrCsv(InsightPageDto(insight)));

/** Documents a question asked in the query string. */
export const AskedByGet = (description: InsightDescription): MethodDecorator =>
  applyDecorators(
    described(description),
    ...Object.entries(description.parameters).map(([name, { description: text, schema, json }]) => {
      const said = description.example[name];
      const example = json && said !== undefined ? JSON.stringify(said) : said;
      return ApiQuery({
        name,
        required: false,
        description: json ? `${text} JSON text.` : text,
        schema: { ...(json ? { type: 'string' } : schema), ...(example === undefined ? {} : { example }) },
      });
    }),
  );

/** Documents the same question asked with a JSON body. */
export const AskedByPost = (description: InsightDescription): MethodDecorator =>
  applyDecorators(
    described(description),
    ApiBody({
      required: false,
      schema: {
        type: 'object',
        example: description.example,
        properties: Object.fromEntries(
          Object.entries(description.parameters).map(([name, { description: text, schema, example }]) => [
            name,
            { ...schema, description: text, ...(example === undefined ? {} : { example }) },
          ]),
        ),
      },
    }),
  );
