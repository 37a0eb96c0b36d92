/** The project of a request: first argument of every service call, first predicate of every statement. */
export interface ProjectContext {
  readonly id: number;
  readonly timezone: string;
  /** 0 is Sunday. */
  readonly weekStartDay: number;
  readonly personDisplayNameProperties: readonly string[];
  readonly testAccountFilters: readonly unknown[];
  readonly pathCleaningFilters: readonly { readonly regex: string; readonly alias: string }[];
}
