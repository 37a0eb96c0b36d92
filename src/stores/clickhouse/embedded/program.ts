/** The argument of the engine's process. */
export interface EngineTask {
  /** The file of the library. */
  readonly library: string;
  /** The module that calls functions of a library on the stack of the thread, as the engine requires it. */
  readonly caller: string;
  /** Those of clickhouse-local. */
  readonly engineArguments: readonly string[];
}

/** A text, because a file of its own would have another place in each form in which the service is built and tested. */
export const engineProgram = `
  const { library, caller, engineArguments } = JSON.parse(process.argv[1]);
  const end = () => process.kill(process.pid, 'SIGKILL');
  // When the service ends, however it does, nothing else could end a statement that runs.
  process.stdin.on('end', end).on('error', end).resume();
  process.title = 'kohort: clickhouse';
  const { open, load, DataType } = require(caller);
  open({ library: 'chdb', path: library });
  const { External, U64, Double } = DataType;
  load({
    library: 'chdb',
    funcName: 'query_stable_v2',
    retType: { buffer: External, length: U64, owner: External, seconds: Double, rows: U64, bytes: U64, error: DataType.String },
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [engineArguments.length, engineArguments],
    runInNewThread: true,
  }).then(({ error }) => process.stderr.write(error), (error) => process.stderr.write(String(error))).then(end);
`;
