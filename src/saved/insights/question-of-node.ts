import { type Fields } from '../../platform/fields/values.js';
import { type Type } from '@nestjs/common';
import { type QuestionType } from '../questions/question.js';
import { type Asker } from '../questions/question-answers.js';

/** The question that a node stands for. */
interface NodeQuestion {
  readonly type: QuestionType;
  readonly params: Fields;
  /** Runs a check of the parameters, whose refusals then name the place in the node. */
  readonly naming: <T>(check: () => Promise<T>) => Promise<T>;
}

/** A question as it is saved, and the node from which it was made. */
interface SavedAsNode {
  readonly type: QuestionType;
  readonly params: Fields;
  readonly query: Fields | null;
}

/** Answers a saved question in the form of its node. */
export interface ResultsOfNodes {
  resultsOf(saved: SavedAsNode, asker: Asker): Promise<{ readonly asOf: Date; readonly results: unknown }>;
}

export const RESULTS_OF_NODES = Symbol('RESULTS_OF_NODES');

/** The room of nodes, which the application brings, so that it is no floor below this one. */
export interface RoomOfNodes {
  readonly module: Type<object>;
  readonly results: Type<ResultsOfNodes>;
  readonly read: QuestionOfNode;
}

/** Reads a node that was sent at `attr`. */
export type QuestionOfNode = (sent: unknown, attr: string) => Promise<NodeQuestion>;

export const QUESTION_OF_NODE = Symbol('QUESTION_OF_NODE');
