import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError, type Command, type GivenWords } from '../command.js';
import { type Row } from '../output.js';
import { namedProject, projectOption } from '../project-flag.js';
import { withService } from '../running-service.js';

interface Answered {
  readonly columns: readonly string[];
  readonly results: readonly (readonly unknown[])[];
  readonly hasMore: boolean;
  readonly limit: number;
  readonly warnings?: readonly { readonly detail: string }[];
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
    return withService(context, { project, scopes: ['query:read'], command: 'query', minutes: 10 }, async (ask) => {
      const { csv } = context.flags;
      const request = { method: 'POST', body: JSON.stringify({ query: question }) };
      const answer = await ask(`/api/projects/${project}/query${csv ? '?format=csv' : ''}`, request);
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

const rowsOf = ({ columns, results, hasMore, limit, warnings = [] }: Answered): readonly Row[] => {
  for (const { detail } of warnings) process.stderr.write(`Warning: ${detail}\n`);
  if (hasMore) process.stderr.write(`There are more than ${limit} rows: add a LIMIT, or --csv for all\n`);
  return results.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
};
