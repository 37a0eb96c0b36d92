import { Injectable } from '@nestjs/common';
import { type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { maxQuoted } from '../../filters/warnings/warning-limits.js';
import { type Answer } from '../shared/insight-responder.js';
import { insightHead } from '../shared/common.parameters.js';
import { type AskedQuestion, Questions } from '../../filters/asking/questions.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import { CleaningCheck } from './cleaning-check.js';
import { connected, named, tokensOf, type EdgeRow } from './edges.js';
import { type PathDto, type PathEdgeDto } from './paths.dto.js';
import { filtersOfPaths, readPaths, type PathsQuery } from './paths.query.js';
import { edgesByTextSql, edgesSql, itemTextsSql, pathActorsSql, type PathsRequest } from './paths.sql.js';
import { spansSql } from './spans.sql.js';

/** The service sorts at most this many edges; ClickHouse sorts more. */
const mostEdges = 10_000;

@Injectable()
export class PathsService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly questions: Questions,
    private readonly cleaning: CleaningCheck,
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer> {
    const q = await this.scopes.read(readPaths, { project, params, now });
    const [scope] = await Promise.all([
      this.scopes.open(project, filtersOfPaths(q), now, signal, q),
      this.cleaning.check(project, q.cleaning),
    ]);
    const range = await this.scopes.resolveRange(scope, q.range);
    const request = { q, range, spans: await this.spans(q, scope) };
    return {
      scope,
      entities: request.q.funnel?.funnel.steps ?? [],
      insight: () => this.insight(request, scope),
      remarks: (insight) => remarksOfPaths(q, insight as PathDto),
      persons: { list: { actors: pathActorsSql(request, scope), order: null }, extra: () => ({}) },
    };
  }

  private async spans({ funnel }: PathsQuery, scope: QuestionScope): Promise<PathsRequest['spans']> {
    return funnel === null ? null : spansSql(funnel, await this.scopes.resolveRange(scope, funnel.funnel.range), scope);
  }

  private async insight(request: PathsRequest, scope: QuestionScope): Promise<PathDto> {
    return { kind: 'path', ...insightHead(scope, request.range), edges: await this.edges(request, scope) };
  }

  private async edges(request: PathsRequest, scope: QuestionScope): Promise<PathEdgeDto[]> {
    const { edgeLimit, minEdgeWeight, maxEdgeWeight } = request.q;
    const rows = await this.heaviest(request, scope);
    const heaviest = named(rows, await this.texts(request, rows, scope)).slice(0, edgeLimit);
    // A range of weights selects exactly these edges, connected to a start or not.
    return minEdgeWeight === null && maxEdgeWeight === null ? connected(heaviest) : heaviest;
  }

  private async heaviest(request: PathsRequest, scope: QuestionScope): Promise<EdgeRow[]> {
    const rows = await this.questions.ask<EdgeRow>(scope, edgesSql(request, mostEdges + 1, scope));
    return rows.length <= mostEdges ? rows : this.questions.ask<EdgeRow>(scope, edgesByTextSql(request, scope));
  }

  private async texts(
    request: PathsRequest,
    rows: readonly EdgeRow[],
    scope: QuestionScope,
  ): Promise<Map<string, string>> {
    const tokens = tokensOf(rows);
    if (tokens.length === 0) return new Map();
    const texts = await this.questions.ask<{ token: string; item: string }>(
      scope,
      itemTextsSql(request, tokens, scope),
    );
    return new Map(texts.map(({ token, item }) => [token, item]));
  }
}

/**
 * Warns about a start point or an end point if there is no edge, unless a limit of weights may have left edges out. The point,
 * an event or the address of a page, is then probably misspelt.
 */
const remarksOfPaths = (q: PathsQuery, { edges }: PathDto): QuestionWarningDto[] => {
  const points = Object.entries({ start_point: q.startPoint, end_point: q.endPoint }).flatMap(([name, point]) =>
    point === null ? [] : [`the ${name} ${point.slice(0, maxQuoted)}`],
  );
  const isLimited = q.minEdgeWeight !== null || q.maxEdgeWeight !== null;
  if (edges.length > 0 || points.length === 0 || isLimited) return [];
  const detail = `there is no edge of a path with ${points.join(' and ')}: a question without it shows the items`;
  return [{ code: 'no_path', detail }];
};
