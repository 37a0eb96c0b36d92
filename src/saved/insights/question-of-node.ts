import { type Fields } from '../../platform/fields/values.js';
import { type QuestionType } from '../questions/question.js';

/** The question that a node stands for. */
interface NodeQuestion {
  readonly type: QuestionType;
  readonly params: Fields;
  /** Runs a check of the parameters, whose refusals then name the place in the node. */
  readonly naming: <T>(check: () => Promise<T>) => Promise<T>;
}

/** Reads a node that was sent at `attr`. The application brings it, so that the room of nodes is no floor below this one. */
export type QuestionOfNode = (sent: unknown, attr: string) => Promise<NodeQuestion>;

export const QUESTION_OF_NODE = Symbol('QUESTION_OF_NODE');
