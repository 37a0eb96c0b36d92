/** Who makes a change, in which request, and when: what an activity entry says of its origin. */
export interface Author {
  /** Null: the service itself. */
  readonly userId: number | null;
  readonly requestId: string;
  readonly now: Date;
}
