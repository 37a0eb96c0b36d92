import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandRefused, UsageError, type Command, type CommandContext, type GivenWords } from '../command.js';
import { type Row } from '../output.js';
import { namedProject, projectOption } from '../project-flag.js';
import { keysService } from './keys.js';

interface Answered {
  readonly columns: readonly string[];
  readonly results: readonly (readonly unknown[])[];
  readonly hasMore: boolean;
  readonly limit: number;
}

export const queryCommand: Command = {
  name: 'query',
  usage: 'query "select event, count() from events group by event" [--csv] [--project 1]',
  summary: 'ask the running service a question in SQL',
  arguments: 1,
  options: {
    csv: { value: null, about: 'print CSV, all rows of it instead of the first 100' },
    project: projectOption,
  },
  check: (given) => void questionOf(given),
  run: async (context) => {
    const question = questionOf(context);
    const project = await namedProject(context);
    return withKey(context, project, async (key) => {
      const { csv } = context.flags;
      const answer = await ask(context, `/api/projects/${project}/query${csv ? '?format=csv' : ''}`, key, question);
      if (!csv) return rowsOf((await answer.json()) as Answered);
      if (answer.body) await pipeline(Readable.fromWeb(answer.body), process.stdout, { end: false });
      return '';
    });
  },
};

const questionOf = ({ args: [question] }: GivenWords): string => {
  if (!question) throw new UsageError('name the question, in quotes');
  return question;
};

const keyMs = 600_000;

/** Only one process can open the embedded engine, so the service answers, as it answers anyone with a key. */
const withKey = async <T>(context: CommandContext, project: number, work: (key: string) => Promise<T>): Promise<T> => {
  const keys = await keysService(context);
  const [known] = await keys.all();
  if (!known) throw new CommandRefused('there is no user yet: use "bootstrap" or "key create" first');
  const now = new Date();
  const grant = { scopes: ['query:read' as const], projectIds: [project], expiresAt: new Date(now.getTime() + keyMs) };
  const key = await keys.create({ ...grant, userId: known.user_id, label: 'npm run cli -- query' }, now);
  try {
    return await work(key.value ?? '');
  } finally {
    await keys.revokeByOperator(key.id, 'revoke', new Date());
  }
};

const everyAddress = ['0.0.0.0', '::'];

const ask = async ({ config }: CommandContext, path: string, key: string, question: string): Promise<Response> => {
  const host = everyAddress.includes(config.host) ? 'localhost' : config.host;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: question }),
  }).catch(() => {
    throw new CommandRefused(`no service answers on ${url}: start it first, with the same PORT`);
  });
  if (answer.ok) return answer;
  const { detail } = (await answer.json().catch(() => ({}))) as { detail?: string };
  throw new CommandRefused(detail ?? `${url} answered ${answer.status}`);
};

const rowsOf = ({ columns, results, hasMore, limit }: Answered): readonly Row[] => {
  if (hasMore) process.stderr.write(`There are more than ${limit} rows: add a LIMIT, or --csv for all\n`);
  return results.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
};
