import { Injectable } from '@nestjs/common';
import { type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { namedByAnswer, personsOf, remarksOf } from '../shared/insight-responder.js';
import { type AskedQuestion } from '../../filters/asking/questions.js';
import { QuestionScopes } from '../shared/question-scopes.js';
import { CleaningCheck } from '../paths/cleaning-check.js';
import { insightKinds, type InsightType } from './insight-kinds.js';
import { readTrends, type TrendsQuery } from '../trends/trends.query.js';
import { InsightServices } from './insight-services.js';
import { ActorPages, type ActorDto } from '../shared/actor-pages.js';
import { type Slice } from '../../platform/http/page.dto.js';

/** The answer of an insight, without the persons behind its numbers. */
export interface InsightAnswer {
  readonly asOf: Date;
  readonly body: { readonly insight: object; readonly warnings?: readonly QuestionWarningDto[] };
}

/** A page of the persons behind an answer. */
export interface InsightPersons {
  readonly asOf: Date;
  readonly slice: Slice<ActorDto>;
}

/** Checks and answers questions whose insight is known only by its name. */
@Injectable()
export class InsightQuestions {
  constructor(
    private readonly services: InsightServices,
    private readonly scopes: QuestionScopes,
    private readonly cleaning: CleaningCheck,
    private readonly warnings: QuestionWarnings,
    private readonly pages: ActorPages,
  ) {}

  /** Refuses a question that the route of the insight would refuse. */
  async check(type: InsightType, { project, params, now }: Omit<AskedQuestion, 'signal'>): Promise<void> {
    const { filters, cleaning, form } = await this.scopes.read(insightKinds[type].read, { project, params, now });
    await Promise.all([this.scopes.check(project, filters, form, now), this.cleaning.check(project, cleaning)]);
  }

  /** Reads a question about trends as its route does. */
  trends(question: Omit<AskedQuestion, 'signal'>): Promise<TrendsQuery> {
    return this.scopes.read(readTrends, question);
  }

  async answer(type: InsightType, question: AskedQuestion): Promise<InsightAnswer> {
    const answer = await this.services.of(type).ask(question);
    const { scope, insight } = answer;
    const [numbers, named] = await Promise.all([insight(), this.warnings.of(scope.project, namedByAnswer(answer))]);
    const warnings = [...named, ...remarksOf(answer, numbers)];
    return { asOf: scope.asOf, body: { insight: numbers, ...(warnings.length > 0 && { warnings }) } };
  }

  /** The persons that the question selects, as the route of the insight lists them. */
  async persons(
    type: InsightType,
    question: AskedQuestion,
    search: string | null,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<InsightPersons> {
    const answer = await this.services.of(type).ask(question);
    const { scope } = answer;
    const persons = personsOf(answer);
    const slice = persons ? await this.pages.page(scope, { ...persons, search }, page) : { count: 0, results: [] };
    return { asOf: scope.asOf, slice };
  }
}
