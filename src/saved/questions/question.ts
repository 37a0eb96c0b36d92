import { insightKinds, type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { type Scope } from '../../kernel/access/scopes.js';
import { unknownName } from '../../platform/errors/nearest-name.js';
import { presentationNames } from '../../platform/http/presentation-names.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Fields, readChoice, requireFields, requireObject } from '../../platform/fields/values.js';
import { queryParameters } from '../../sql/ask/query-input.js';

/** `node`: a node of the reference product that stands for no question of our own, such as a list of events. */
export const questionTypes = [...(Object.keys(insightKinds) as InsightType[]), 'sql', 'node'] as const;

export type QuestionType = (typeof questionTypes)[number];

/** A question as it is saved: the parameters of its route, as they were sent. */
export interface SavedQuestion {
  readonly type: QuestionType;
  readonly params: Fields;
}

/** The longest parameters of a question, in characters of JSON text: a project may have thousands of questions. */
export const maxQuestionLength = 50_000;

/** The scopes that the route of the question demands. */
export const scopesOf = (type: QuestionType): readonly Scope[] => [
  type === 'sql' || type === 'node' ? 'query:read' : 'person:read',
];

export const parametersOf = (type: QuestionType): readonly string[] => {
  if (type === 'node') return ['query'];
  return Object.keys(type === 'sql' ? queryParameters : insightKinds[type].parameters);
};

/** Parameters of the list of persons, which a saved question does not have. */
const ofPersons = ['search', 'limit', 'offset', 'format'];

/** Reads the form of a question; the reader of its route reads the parameters. */
export const readQuestion = (value: unknown, attr: string): SavedQuestion => {
  if (value === undefined || value === null) throw required(attr);
  const { type: sentType, params: sent } = requireFields(value, attr, ['type', 'params']);
  if (sentType === undefined || sentType === null) throw required(`${attr}.type`);
  const type = readChoice(sentType, `${attr}.type`, questionTypes);
  const params = requireObject(sent === undefined ? {} : sent, `${attr}.params`);
  const known = parametersOf(type);
  for (const name of Object.keys(params))
    if (!known.includes(name) && !presentationNames.includes(name))
      throw unknownName(name, known, attr.split('.').concat('params'));
  assertNumbersOnly(type, params, `${attr}.params`);
  if (JSON.stringify(params).length > maxQuestionLength) {
    throw invalidInput(
      `${attr}.params must have at most ${maxQuestionLength} characters as JSON text`,
      `${attr}.params`,
    );
  }
  return { type, params };
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const assertNumbersOnly = (type: QuestionType, params: Fields, attr: string): void => {
  if (type === 'node') return;
  if (type === 'sql') {
    if (!isGiven(params.format) || params.format === 'json') return;
    throw invalidInput(
      `${attr}.format must be json: a file is exported by the route of the question`,
      `${attr}.format`,
    );
  }
  if (isGiven(params.include) && params.include !== 'insight') {
    throw invalidInput(`${attr}.include must be insight: a saved question has no list of persons`, `${attr}.include`);
  }
  const name = ofPersons.find((one) => isGiven(params[one]));
  if (name === undefined) return;
  throw invalidInput(
    `${attr}.${name} is about the list of persons, which a saved question does not have: leave it out`,
    `${attr}.${name}`,
  );
};
