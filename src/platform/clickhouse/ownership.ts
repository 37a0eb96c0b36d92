/** Knows, to two seconds, whether the database of ClickHouse has the projection of this PostgreSQL. */
export interface Ownership {
  /** The reason why the database answers no questions: it is not ours, or is being filled. Null if it answers. */
  fault(): Promise<Error | null>;
  /** The reason why nothing may be written: the database is not ours, or a newer release has migrated it. Null if it may. */
  faultOfWrites(): Promise<Error | null>;
  /**
   * True if PostgreSQL records this generation for the database that was found, the version is known, and the server is the one
   * with which the database was compared. If not, the next call looks again.
   */
  agrees(recorded: { readonly generation: number; readonly version: number; readonly server: string }): boolean;
  /** Throws unless the database is still the one that was found, so that rows inserted meanwhile are in it. */
  confirm(): Promise<void>;
  /** Makes an empty database the projection again, if that is allowed. Otherwise throws, and says what the operator must do. */
  regain(): Promise<void>;
}
