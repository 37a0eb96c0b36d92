import { Inject, Injectable } from '@nestjs/common';
import { InsightQuestions } from '../../analytics/kinds/insight-questions.js';
import { Params } from '../../filters/asking/questions.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type NamesInQuery } from '../../sql/ask/names-in-query.js';
import { readQueryInput } from '../../sql/ask/query-input.js';
import { QueryService } from '../../sql/ask/query.service.js';
import { namesInQuestion } from './names-in-question.js';
import { type SavedQuestion } from './question.js';
import { SAVED_NODES, type SavedNodes } from './saved-nodes.js';
import { namedBelow } from './named-below.js';

/** Refuses questions that their route would refuse, before they are saved. */
@Injectable()
export class QuestionCheck {
  constructor(
    private readonly insights: InsightQuestions,
    private readonly queries: QueryService,
    @Inject(SAVED_NODES) private readonly nodes: SavedNodes,
  ) {}

  /** Returns the names in a question that was sent at `attr`. */
  check(project: ProjectContext, question: SavedQuestion, attr: string, now: Date): Promise<NamesInQuery> {
    return namedBelow(`${attr}.params`, () => this.checkParams(project, question, now));
  }

  /** Like `check`, but refusals name the parameters alone. */
  async checkParams(project: ProjectContext, { type, params }: SavedQuestion, now: Date): Promise<NamesInQuery> {
    const read = Params.of({}, params);
    const signal = project.signal ?? new AbortController().signal;
    if (type === 'node') return this.nodes.check(params.query, { project, now, signal });
    if (type === 'sql') {
      return this.queries.check(readQueryInput(read), { project, now, signal });
    }
    await this.insights.check(type, { project, params: read, now });
    return namesInQuestion(type, params, project, now);
  }
}
