/** The author, request and time of a change, which an activity entry records as its origin. */
export interface Author {
  /** Null: the service itself. */
  readonly userId: number | null;
  readonly requestId: string;
  readonly now: Date;
}
