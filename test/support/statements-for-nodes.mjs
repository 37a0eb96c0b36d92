/** Citus logs each statement that it sends to several shards. */
export const logsStatementsForNodes = 'citus.multi_task_query_log_level=log';

const entries = (log) => log.split(/\n(?=\d{4}-\d\d-\d\d )/);
const entry = /^\S+ \S+ \S+ \[(\d+)\] (\w+): +([\s\S]*)$/;
const namesProject = /\bproject_id\s*=\s*\(?(?:SELECT\s+)?\$\d/i;

/**
 * The statements that name a project and were sent to several shards all the same, from the log of a coordinator: what belongs to
 * a project is on one.
 */
export const sentToSeveralNodes = (log) => {
  const announced = new Set();
  const found = new Set();
  for (const text of entries(log)) {
    const [, process, level, message = ''] = entry.exec(text) ?? [];
    if (level === 'LOG' && message.startsWith('multi-task query')) announced.add(process);
    else if (level === 'STATEMENT' && announced.delete(process) && namesProject.test(message))
      found.add(message.replace(/\s+/g, ' ').trim());
  }
  return [...found];
};
