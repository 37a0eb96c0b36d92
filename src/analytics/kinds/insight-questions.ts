import { Injectable } from '@nestjs/common';
import { type AskedQuestion } from '../shared/parameter-docs.js';
import { QuestionScopes } from '../shared/question-scopes.js';
import { CleaningCheck } from '../paths/cleaning-check.js';
import { insightKinds, type InsightType } from './insight-kinds.js';
import { InsightServices } from './insight-services.js';

/** The numbers of an insight, without the persons behind them. */
export interface InsightAnswer {
  readonly asOf: Date;
  readonly insight: object;
}

/** Checks and answers questions whose insight is known only by its name. */
@Injectable()
export class InsightQuestions {
  constructor(
    private readonly services: InsightServices,
    private readonly scopes: QuestionScopes,
    private readonly cleaning: CleaningCheck,
  ) {}

  /** Refuses a question that the route of the insight would refuse. */
  async check(type: InsightType, { project, params, now }: Omit<AskedQuestion, 'signal'>): Promise<void> {
    const { filters, cleaning } = await this.scopes.read(insightKinds[type].read, { project, params, now });
    await Promise.all([this.scopes.resolve(project, filters), this.cleaning.check(project, cleaning)]);
  }

  async answer(type: InsightType, question: AskedQuestion): Promise<InsightAnswer> {
    const { scope, insight } = await this.services.of(type).ask(question);
    return { asOf: scope.asOf, insight: await insight() };
  }
}
