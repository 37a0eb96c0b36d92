import { Injectable } from '@nestjs/common';
import { type QuestionRequest } from '../../analytics/asking/parameter-docs.js';
import { keepAnswer } from '../../idempotency/keyed-answers.js';
import { readAsked } from './asked.js';
import { QueryService } from './query.service.js';

/** Sends the answer to a question in the form that the request names. */
@Injectable()
export class SendAnswers {
  constructor(private readonly queries: QueryService) {}

  async send({ params, project, now, signal, request, response }: QuestionRequest): Promise<void> {
    const asked = readAsked(params);
    const answer = await this.queries.answer(asked, { project, now, signal });
    await keepAnswer(request);
    response.type('application/json').send(answer);
  }
}
