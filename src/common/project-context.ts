/** The project of a request: first argument of every service call, first predicate of every statement. */
export interface ProjectContext {
  readonly id: number;
  /** Aborts when the client of the request has gone away: what is only read for its answer can stop. */
  readonly signal?: AbortSignal;
  readonly timezone: string;
  /** 0 is Sunday. */
  readonly weekStartDay: number;
  readonly personDisplayNameProperties: readonly string[];
  readonly testAccountFilters: readonly unknown[];
  readonly pathCleaningFilters: readonly { readonly regex: string; readonly alias: string }[];
}
