import { aggregates } from './aggregates.js';
import { arrays } from './arrays.js';
import { cohortQuestions, placeholders } from './cohorts.js';
import { forms } from './forms.js';
import { nulls } from './nulls.js';
import { properties } from './properties.js';
import { type Question } from './question.js';
import { sessions } from './sessions.js';
import { shapes } from './shapes.js';
import { texts } from './text.js';
import { times } from './time.js';
import { windows } from './windows.js';

/** Every table of questions about the scene, by its subject. */
export const tables: Readonly<Record<string, readonly Question[]>> = {
  properties,
  nulls,
  texts,
  times,
  aggregates,
  arrays,
  windows,
  shapes,
  forms,
  sessions,
  placeholders,
};

/** All of them, for tests that do not answer them. */
export const allQuestions: readonly Question[] = [
  ...Object.values(tables).flat(),
  ...cohortQuestions({ beta: 1, pro: 2 }),
];
