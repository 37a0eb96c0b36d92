import { countRows } from '../../platform/http/compression.js';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { invalidInput, Problem } from '../../platform/errors/problem.js';
import { sentBytesOf } from '../../platform/http/body.guard.js';
import { type Slice, pageOf } from '../../platform/http/page.dto.js';
import { storeAnswer } from '../../kernel/idempotency/keyed-answers.js';
import { type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { type NamedByQuestion, QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { type NamedProperty } from '../../filters/warnings/unknown-properties.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { columnsOfGroups } from './group-actors.js';
import { sendPageCsv, sendPersonsCsv } from '../../persons/csv/send-persons-csv.js';
import { type Params, type QuestionRequest } from '../../filters/asking/questions.js';
import { commonParameters } from './common.parameters.js';
import { type Entity, eventMatches } from './entity.js';
import { ActorPages, type ActorDto, type ActorRow, type ActorRequest } from './actor-pages.js';
import { type QuestionScope } from './question-scopes.js';

/** The longest link, which all servers and proxies accept as a line. */
const maxLinkBytes = 6_000;

/**
 * Copies a question from the body into the parameters of a link to another page, so that the link is the whole question. If
 * the question is too long for a link, the caller has to send the body again.
 */
const askedInBody = (request: Request): Readonly<Record<string, string>> => {
  const body: unknown = request.body;
  // A body with white space may be longer than its link; a body of more than twice the longest link is not read at all.
  const bytes = sentBytesOf(request)?.length ?? 0;
  if (request.method !== 'POST' || typeof body !== 'object' || body === null || bytes > 2 * maxLinkBytes) return {};
  const fields = Object.entries(body as Record<string, unknown>).filter(
    ([name, value]) => value !== null && value !== undefined && name !== 'limit' && name !== 'offset',
  );
  const sent = fields.map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const { length } = new URLSearchParams(sent).toString();
  return length > maxLinkBytes ? {} : Object.fromEntries(sent);
};

/** The form of an answer: which halves, which page, which format. */
interface AnswerOptions {
  readonly insight: boolean;
  readonly persons: boolean;
  readonly search: string | null;
  readonly limit: number;
  readonly offset: number;
  /** True if the request names a page; otherwise the page is the default. */
  readonly isPaged: boolean;
  readonly format: 'json' | 'csv';
}

const readAnswerOptions = (params: Params): AnswerOptions => {
  const read = params.reader(commonParameters);
  const include = read('include');
  return {
    insight: include !== 'persons',
    persons: include !== 'insight',
    search: read('search'),
    limit: read('limit'),
    offset: read('offset'),
    isPaged: params.has('limit') || params.has('offset'),
    format: read('format'),
  };
};

/** The answer to a question. Each half is computed only if the request includes it. */
export interface Answer<Row extends ActorRow = ActorRow> {
  readonly scope: QuestionScope;
  /** The entities that the question counts. */
  readonly entities: readonly Entity[];
  /** The properties that the question names outside of filters, such as that of a breakdown. */
  readonly properties?: readonly NamedProperty[];
  readonly insight: () => Promise<object>;
  /** Warnings that follow from the numbers. */
  readonly remarks?: (insight: object) => readonly QuestionWarningDto[];
  /** Null if the question has no persons, such as a funnel without steps; a problem if it has no list of them. */
  readonly persons: PersonsOfAnswer<Row> | Problem | null;
}

type PersonsOfAnswer<Row extends ActorRow> = Omit<ActorRequest<Row>, 'search'>;

/** Throws if the question has no list of persons. */
export const personsOf = <Row extends ActorRow>({
  persons,
}: Pick<Answer<Row>, 'persons'>): PersonsOfAnswer<Row> | null => {
  if (persons instanceof Problem) throw persons;
  return persons;
};

export const namedByAnswer = ({
  scope,
  entities,
  properties = [],
}: Pick<Answer, 'scope' | 'entities' | 'properties'>): NamedByQuestion => ({
  matches: eventMatches(entities),
  filters: scope.filters,
  properties,
});

export const remarksOf = (
  { remarks }: Pick<Answer, 'remarks'>,
  insight: object | null,
): readonly QuestionWarningDto[] => (insight && remarks ? remarks(insight) : []);

/** Sends an answer in the form that the request names. */
@Injectable()
export class InsightResponder {
  constructor(
    private readonly pages: ActorPages,
    private readonly warnings: QuestionWarnings,
  ) {}

  /** Calls `ask` only after the page parameters are valid: a promise created before a failing check would reject unhandled. */
  async send<Row extends ActorRow>(
    { request, response, params }: QuestionRequest,
    ask: () => Promise<Answer<Row>>,
  ): Promise<void> {
    const options = readAnswerOptions(params);
    if (options.format === 'csv' && !options.persons)
      throw invalidInput(
        'format=csv is for persons, and include=insight leaves them out: leave out one of the two',
        'format',
      );
    const answer = await ask();
    const { scope, insight } = answer;
    const persons = options.persons ? personsOf(answer) : null;
    if (options.format === 'csv') {
      await storeAnswer(request);
      return this.sendCsv(response, options, scope, persons);
    }
    const [named, insightBody, page] = await Promise.all([
      this.warnings.of(scope.project, namedByAnswer(answer)),
      options.insight ? insight() : null,
      options.persons ? this.page(scope, options, persons) : null,
    ]);
    const warnings = [...named, ...remarksOf(answer, insightBody)];
    await storeAnswer(request);
    if (page) countRows(response, page.results.length);
    const inBody = page ? askedInBody(request) : {};
    response.json({
      ...(page && pageOf(request, options, page, () => inBody)),
      ...(insightBody && { insight: insightBody }),
      ...(warnings.length > 0 && { warnings }),
    });
  }

  /** Sends the page that the request names, or all persons if the request names none. */
  private async sendCsv<Row extends ActorRow>(
    response: Response,
    options: AnswerOptions,
    scope: QuestionScope,
    persons: PersonsOfAnswer<Row> | null,
  ): Promise<void> {
    const isOfGroups = scope.groupType !== null;
    const filename = isOfGroups ? 'groups.csv' : 'persons.csv';
    const extra = [...(isOfGroups ? columnsOfGroups : []), ...(persons?.columns ?? [])];
    if (options.isPaged || persons === null) {
      const { results } = await this.page(scope, options, persons);
      return sendPageCsv(response, filename, results, extra);
    }
    const all = this.pages.all(scope, { ...persons, search: options.search });
    await duringExport(scope.project, () => sendPersonsCsv(response, filename, all, extra));
  }

  private page<Row extends ActorRow>(
    scope: QuestionScope,
    { search, limit, offset }: AnswerOptions,
    persons: PersonsOfAnswer<Row> | null,
  ): Promise<Slice<ActorDto>> | Slice<ActorDto> {
    return persons ? this.pages.page(scope, { ...persons, search }, { limit, offset }) : { count: 0, results: [] };
  }
}
