/** The project of a request: the first argument of every service call, the first predicate of every statement. */
export interface ProjectContext {
  readonly id: number;
  /** Aborts when the client of the request has disconnected, so that work which only its answer needs can stop. */
  readonly signal?: AbortSignal;
  readonly timezone: string;
  /** 0 is Sunday. */
  readonly weekStartDay: number;
  readonly personDisplayNameProperties: readonly string[];
  readonly testAccountFilters: readonly unknown[];
  /** True if requests with personal data are recorded; when missing, they are not. */
  readonly auditReads?: boolean;
  readonly pathCleaningFilters: readonly { readonly regex: string; readonly alias: string }[];
}
