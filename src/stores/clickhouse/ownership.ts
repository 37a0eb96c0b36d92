/** Whether the database of ClickHouse has the projection of this PostgreSQL, as known for at most two seconds. */
export interface Ownership {
  /** Why the database answers no questions: it is not ours, or is being filled. Null when it answers. */
  fault(): Promise<Error | null>;
  isOurs(): Promise<boolean>;
  /** Throws when nothing may be written into the database, because it is not ours. */
  assertOurs(): Promise<void>;
  /** Whether PostgreSQL has this generation for the database that was found; looks again next time if not. */
  agrees(generation: number): boolean;
  /** Throws unless the database is still the one that was found: what was inserted meanwhile is in it. */
  confirm(): Promise<void>;
  /** Makes an empty database the projection again, if it may; throws otherwise, with what the operator has to do. */
  regain(): Promise<void>;
}
