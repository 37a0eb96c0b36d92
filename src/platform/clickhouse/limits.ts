import { randomUUID } from 'node:crypto';

export interface QueryLimits {
  timeoutMs?: number;
  maxMemoryBytes?: number;
  maxRowsToRead?: number;
  maxResultRows?: number;
}

export const defaultLimits: Required<QueryLimits> = {
  timeoutMs: 30_000,
  maxMemoryBytes: 2 * 1024 ** 3,
  maxRowsToRead: 2_000_000_000,
  maxResultRows: 100_000,
};

/**
 * The limit of a short statement. It uses a connection that is reserved for short ones, and must not occupy it for long.
 */
export const shortTimeoutMs = 5_000;
export const insertTimeoutMs = 60_000;
export const commandTimeoutMs = 600_000;

/** The rows of a block: the default of the engine. */
const blockRows = 65_409;
/** The rows of a block of heavy questions: so few that an expensive pattern on each of them takes some ten milliseconds. */
const blockRowsGivingWay = 2_048;

const maxResultBytes = String(128 * 1024 ** 2);

/**
 * All settings of a statement. An embedded connection keeps the settings of the last statement, so each statement sets
 * all of them, and no caller can add any.
 */
export type StatementSettings = {
  readonly: '0' | '2';
  max_execution_time: number;
  priority: string;
  max_threads: number;
  max_block_size: string;
  low_priority_query_wait_time_ms: string;
  max_memory_usage: string;
  max_rows_to_read: string;
  max_result_rows: string;
  max_result_bytes: string;
  timeout_overflow_mode: 'throw';
  read_overflow_mode: 'throw';
  result_overflow_mode: 'throw';
  insert_deduplication_token: string;
  distributed_foreground_insert: 1;
  skip_unavailable_shards: 0;
  allow_push_predicate_ast_for_distributed_subqueries: 0;
  async_insert: 0;
  mutations_sync: '2';
  session_timezone: string;
  date_time_input_format: 'best_effort';
  date_time_output_format: 'iso';
  output_format_json_quote_64bit_integers: 0;
  json_type_escape_dots_in_keys: 1;
  input_format_skip_unknown_fields: 0;
  input_format_try_infer_dates: 0;
  input_format_try_infer_datetimes: 0;
  optimize_rewrite_aggregate_function_with_if: 0;
  compile_expressions: 0;
  compile_aggregate_expressions: 0;
  compile_sort_description: 0;
} & Partial<typeof clusterSettings & typeof removalSettings>;

/** Settings about replicas, which every statement on a cluster has, too. */
export const clusterSettings = {
  // An insert succeeds once most replicas have the rows, and a replica that lacks the newest rows refuses a question.
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  insert_quorum_timeout: insertTimeoutMs / 2,
  select_sequential_consistency: '1',
  // A removal does not wait for other replicas: they do it later, and leave the rows out as soon as they know of the removal.
  lightweight_deletes_sync: '1',
  apply_mutations_on_fly: 1,
} as const;

/** Without these settings, a removal on a cluster would wait minutes for a server that is away, and then fail. */
export const removalSettings = {
  distributed_ddl_task_timeout: '2',
  distributed_ddl_output_mode: 'null_status_on_timeout',
} as const;

const common = {
  // Both values leave the decision to the engine.
  priority: '0',
  max_threads: 0,
  max_block_size: String(blockRows),
  // A statement that gives way still makes progress: at least one block in this time.
  low_priority_query_wait_time_ms: '200',
  timeout_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  distributed_foreground_insert: 1,
  // Otherwise the settings of a server could allow an answer without the shards that are away.
  skip_unavailable_shards: 0,
  // On a cluster, `GLOBAL IN` after a sub-query would be sent into it without its set, and find no row.
  allow_push_predicate_ast_for_distributed_subqueries: 0,
  async_insert: 0,
  mutations_sync: '2',
  session_timezone: 'UTC',
  date_time_input_format: 'best_effort',
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 0,
  json_type_escape_dots_in_keys: 1,
  input_format_skip_unknown_fields: 0,
  // Text that looks like a date stays text: "2024-01-01T00:00:00Z" must come back unchanged.
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  // The engine makes `count(if(condition, NULL, x))` a `countIf(x, NOT condition)`, which counts nothing where the
  // condition is NULL.
  optimize_rewrite_aggregate_function_with_if: 0,
  // Compiling each new question to machine code costs more than it saves.
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
} as const;

export const questionSettings = (limits: Required<QueryLimits>, timezone = 'UTC'): StatementSettings => ({
  ...common,
  session_timezone: timezone,
  priority: '1',
  // 2 forbids writes and still accepts settings; 1 would refuse the limits of the next statement on the same connection.
  readonly: '2',
  max_execution_time: limits.timeoutMs / 1000,
  max_memory_usage: String(limits.maxMemoryBytes),
  max_rows_to_read: String(limits.maxRowsToRead),
  max_result_rows: String(limits.maxResultRows),
  max_result_bytes: maxResultBytes,
  insert_deduplication_token: '',
});

export type Precedence = Pick<StatementSettings, 'priority' | 'max_threads' | 'max_block_size'>;

/**
 * Light projects go before heavy ones: a question pauses between two blocks while one of a higher priority runs, and loses
 * nothing if it runs alone. When the engine runs on this machine, heavy projects get half of the processors while other
 * projects are active, and small blocks, so that their questions pause sooner.
 */
export const precedence = (
  { isCrowded, isHeavy }: { readonly isCrowded: boolean; readonly isHeavy: boolean },
  threadsOfHeavy: number | null,
): Precedence => ({
  priority: isHeavy ? '2' : '1',
  ...(isCrowded && isHeavy && threadsOfHeavy !== null
    ? { max_threads: threadsOfHeavy, max_block_size: String(blockRowsGivingWay) }
    : { max_threads: common.max_threads, max_block_size: common.max_block_size }),
});

/** Limited like a question, but may write its result. */
export const calculationSettings = (limits: Required<QueryLimits>): StatementSettings => ({
  ...questionSettings(limits),
  // Questions arrive all the time, and a calculation that gave way to each would not end within its time.
  priority: '0',
  readonly: '0',
  max_result_rows: '0',
  insert_deduplication_token: randomUUID(),
});

/** An insert without a token of its own gets a fresh one: the engine would otherwise drop it for equal contents. */
export const writeSettings = (timeoutMs: number, deduplicationToken: string = randomUUID()): StatementSettings => ({
  ...common,
  readonly: '0',
  max_execution_time: timeoutMs / 1000,
  max_memory_usage: '0',
  max_rows_to_read: '0',
  max_result_rows: '0',
  max_result_bytes: maxResultBytes,
  insert_deduplication_token: deduplicationToken,
});
