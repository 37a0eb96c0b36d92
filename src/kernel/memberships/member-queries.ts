import { type ProjectContext } from '../access/project-context.js';
import { type Candidate } from './candidate.js';

export interface SelectedSample {
  readonly count: number;
  /** Ids of ten of the persons, the smallest first. */
  readonly sample: readonly string[];
}

/**
 * Questions in SQL that select persons. Everything wrong with a question is a 400 with its line and column. The module of
 * questions lies above this one and provides the implementation.
 */
export abstract class MemberQueries {
  /** Runs the question once, and returns each person that it selects once. */
  abstract select(project: ProjectContext, query: unknown, now: Date): Promise<AsyncIterable<Candidate>>;
  abstract preview(project: ProjectContext, query: unknown, now: Date): Promise<SelectedSample>;
}
