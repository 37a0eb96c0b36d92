import { type ProjectContext } from '../../common/project-context.js';

/** The person or the distinct id that one row of a query names. */
export type QueriedMember =
  | { readonly kind: 'id'; readonly value: string }
  | { readonly kind: 'uuid'; readonly value: string }
  | { readonly kind: 'distinct_id'; readonly value: string };

/** Answers which persons a query of a static cohort selects. Implemented by `query/`, which lies above cohorts. */
export abstract class QueriedMembers {
  /**
   * Refuses a query that yields neither `person_id` nor `distinct_id`. `query` is the body of the request: SQL, or an object
   * with kind and query.
   */
  abstract check(project: ProjectContext, query: unknown, attr: string, now: Date): Promise<void>;

  abstract members(project: ProjectContext, query: unknown, attr: string, now: Date): AsyncIterable<QueriedMember>;
}
