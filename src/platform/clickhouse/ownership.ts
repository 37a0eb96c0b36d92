/** Knows, to two seconds, whether the database of ClickHouse has the projection of this PostgreSQL. */
export interface Ownership {
  /** Why the database answers no questions: it is not ours, or is being filled. Null when it answers. */
  fault(): Promise<Error | null>;
  /** Why nothing may be written into the database: it is not ours, or a newer release has migrated it. */
  faultOfWrites(): Promise<Error | null>;
  /**
   * True if PostgreSQL has this generation for the database that was found, and a known version, and is the server that was
   * compared with the database; if not, the next call looks again.
   */
  agrees(recorded: { readonly generation: number; readonly version: number; readonly server: string }): boolean;
  /** Throws unless the database is still the one that was found: what was inserted meanwhile is in it. */
  confirm(): Promise<void>;
  /** Makes an empty database the projection again, if it may; throws otherwise, with what the operator has to do. */
  regain(): Promise<void>;
}
