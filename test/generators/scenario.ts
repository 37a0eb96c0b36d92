/** The steps of every generated client, and their results, so that all clients can be compared with the same numbers. */
export interface Outcome {
  /** The number of persons. */
  readonly persons: number;
  /** The members of a cohort of what persons did. */
  readonly behavioural: number | null;
  /** The members of a cohort of listed ids. */
  readonly listed: number | null;
  /** The name after it was changed. */
  readonly renamed: string;
  /** The persons who reached each step of a funnel. */
  readonly steps: readonly number[];
  /** The names of the persons who reached the last step, read page by page. */
  readonly paid: readonly string[];
}

export interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly project: string;
}

export const required = <T>(value: T | null | undefined): T => {
  if (value === undefined || value === null) throw new Error('the answer lacks a value');
  return value;
};
