/** A row of an answer, as JSON. */
export type Row = readonly unknown[];

/** What a user asks, and the answer that was worked out by hand from `scene.ts`. */
export interface Question {
  readonly sql: string;
  readonly rows: readonly Row[];
  /** Values of the placeholders. */
  readonly values?: Readonly<Record<string, unknown>>;
}

export const question = (sql: string, rows: readonly Row[], values?: Question['values']): Question => ({
  sql,
  rows,
  ...(values ? { values } : {}),
});

/** Rows of one column. */
export const column = (...cells: readonly unknown[]): Row[] => cells.map((cell) => [cell]);

/** The row of an answer that has only one. */
export const one = (...cells: readonly unknown[]): Row[] => [cells];
