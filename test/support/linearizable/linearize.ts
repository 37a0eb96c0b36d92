/** An operation of a client: it took effect at one moment between its beginning and its end. */
export interface Operation<Input, Result> {
  readonly input: Input;
  readonly began: number;
  readonly ended: number;
  /** Undefined when no answer came: the operation may take effect at any later moment, or never. */
  readonly result: Result | undefined;
}

/** What the operations mean one after the other. */
export interface SequentialModel<State, Input, Result> {
  readonly initial: State;
  /** The state after the operation; null if it could not have had the result. An undefined result is any. */
  readonly apply: (state: State, input: Input, result: Result | undefined) => State | null;
  /** Equal for states that cannot be told apart. */
  readonly keyOf: (state: State) => string;
}

/**
 * Searches an order of the operations that their times allow and in which each has its result, as Wing and Gong do, with the
 * memory of Lowe for what was tried. Null if there is none.
 */
export const linearize = <State, Input, Result>(
  history: readonly Operation<Input, Result>[],
  model: SequentialModel<State, Input, Result>,
): readonly Operation<Input, Result>[] | null => {
  const operations = [...history].sort((a, b) => a.began - b.began);
  const answered = operations.reduce(
    (mask, { result }, at) => (result === undefined ? mask : mask | (1n << BigInt(at))),
    0n,
  );
  const tried = new Set<string>();

  const search = (state: State, done: bigint): Operation<Input, Result>[] | null => {
    if ((done & answered) === answered) return [];
    const key = `${done} ${model.keyOf(state)}`;
    if (tried.has(key)) return null;
    tried.add(key);
    // An operation cannot come before one that had ended when it began.
    let firstEnd = Infinity;
    for (const [at, { ended, result }] of operations.entries())
      if (result !== undefined && (done & (1n << BigInt(at))) === 0n) firstEnd = Math.min(firstEnd, ended);
    for (const [at, operation] of operations.entries()) {
      const bit = 1n << BigInt(at);
      if (operation.began > firstEnd) break;
      if ((done & bit) !== 0n) continue;
      const next = model.apply(state, operation.input, operation.result);
      const rest = next === null ? null : search(next, done | bit);
      if (rest) return [operation, ...rest];
    }
    return null;
  };
  return search(model.initial, 0n);
};
