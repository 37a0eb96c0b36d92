import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type Fields } from '../../platform/fields/values.js';
import { type NamesInQuery } from '../../sql/ask/names-in-query.js';
import { type SavedQuestion } from './question.js';

interface NodeAsker {
  readonly project: ProjectContext;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** The room of nodes, which the application brings, so that it is no floor below this one. */
export interface SavedNodes {
  answer(node: unknown, asker: NodeAsker): Promise<{ readonly asOf: Date; readonly body: Fields }>;
  /** Refuses a node that would have no answer; returns the names in it. */
  check(node: unknown, asker: NodeAsker): Promise<NamesInQuery>;
  /** The node that stands for a question; null if none does. */
  nodeOf(question: SavedQuestion): Promise<Fields | null>;
  /** The results of a question, in the form of its node. */
  resultsOf(
    question: SavedQuestion & { readonly query: Fields | null },
    asker: NodeAsker,
  ): Promise<{ readonly asOf: Date; readonly results: unknown }>;
}

export const SAVED_NODES = Symbol('SAVED_NODES');
