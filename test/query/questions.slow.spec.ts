import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { comparable, Questions } from './asking.js';
import { tables } from './questions/all-questions.js';
import { cohortQuestions } from './questions/cohorts.js';
import { type Question } from './questions/question.js';
import { fillScene, now, type Scene } from './questions/scene.js';

let service: ServiceHandle;
let questions: Questions;
let scene: Scene;

beforeAll(async () => {
  service = await sharedService();
  questions = new Questions(service, service.project.id, now);
  scene = await fillScene(service, service.project);
  // The same names, ids and cohorts in another project: none of it may be counted.
  const other = await service.newProject();
  await fillScene(service, other);
});

afterAll(() => service.stop());

const answers = async ({ sql, rows, values }: Question): Promise<void> => {
  const results = await questions.rows(sql, values ? { values } : {});
  expect(comparable(sql, results)).toEqual(comparable(sql, rows));
};

describe.each(Object.entries(tables))('%s', (_, table) => {
  it.each(table.map((question) => [question.sql, question] as const))('%s', (__, question) => answers(question));
});

describe('cohorts and actions', () => {
  const count = cohortQuestions({ beta: 0, pro: 0 }).length;
  it.each(Array.from({ length: count }, (_, at) => [at]))('question %d', async (at) => {
    const question = cohortQuestions(scene)[at];
    if (!question) throw new Error('no such question');
    await answers(question);
  });

  it('are those of this project only', async () => {
    const refused = await questions.send({
      query: `select count() from events where person_id in cohort ${scene.pro + 2}`,
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ line: 1, column: expect.any(Number) });
    const removed = await questions.send({ query: `select count() from events where person_id in cohort 'Removed'` });
    expect(removed.status).toBe(400);
    const unknown = await questions.send({ query: `select countIf(matchesAction('Lost a customer')) from events` });
    expect(unknown.status).toBe(400);
  });
});
