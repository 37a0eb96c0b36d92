import { join } from 'node:path';
import { type Scope } from '../../kernel/access/scopes.js';
import { readSmallId } from '../../platform/values/ids.js';
import { CommandRefused, UsageError, type CommandContext, type GivenWords, type Option } from './command.js';
import { type Row } from './output.js';
import { namedProject } from './project-flag.js';
import { ServiceRefused, withService } from './running-service.js';

export const moveOptions: Readonly<Record<string, Option>> = {
  from: {
    value: 'posthog',
    about: 'persons, cohorts, actions, insights and dashboards of that product, without a file',
  },
  url: { value: 'URL', about: 'its address, such as https://eu.posthog.com' },
  'from-project': { value: 'ID', about: 'the project there' },
};

interface WantedMove {
  readonly url: URL;
  readonly project: number;
  readonly key: string;
}

export const readMove = ({ flags, args, config: { posthogKey } }: GivenWords): WantedMove => {
  if (flags.from !== 'posthog') throw new UsageError(`--from must be posthog, not ${flags.from}`);
  if (args.length > 0) throw new UsageError('name a file or --from, not both');
  const url = URL.canParse(flags.url ?? '') ? new URL(flags.url ?? '') : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--url must be the address of PostHog, such as https://eu.posthog.com');
  const project = readSmallId(flags['from-project']);
  if (project === null) throw new UsageError('--from-project must be the id of the project in PostHog');
  if (posthogKey === null)
    throw new UsageError('set POSTHOG_KEY to a personal API key of PostHog (phx_…) that may read the project');
  return { url, project, key: posthogKey };
};

const scopes: readonly Scope[] = [
  ...(['project:write', 'person:read', 'person:write', 'event:read', 'query:read'] as const),
  ...(['cohort:read', 'cohort:write', 'action:read', 'action:write', 'insight:read', 'insight:write'] as const),
  ...(['dashboard:write', 'annotation:write', 'event_definition:write', 'property_definition:write'] as const),
];

/** The key of the command expires then; a second run goes on. */
const mostMinutes = 24 * 60;

/** Brings a project of PostHog into the running service, and says what became of each record. */
export const moveIn = async (context: CommandContext, { url, project: there, key }: WantedMove): Promise<Row> => {
  const [{ Journal }, { ProjectMove }, { MovingFault, PostHog }] = await Promise.all([
    import('../../operations/moving/journal.js'),
    import('../../operations/moving/move.js'),
    import('../../operations/moving/posthog.js'),
  ]);
  const project = await namedProject(context);
  const from = new PostHog(url, there, key);
  const journal = await Journal.open(join(context.config.dataDir, `posthog-${from.name}-to-${project}.ndjson`));
  const access = { project, scopes, command: 'import --from posthog', minutes: mostMinutes, isPatient: true };
  return withService(context, access, async (ask) => {
    const move = new ProjectMove(
      from,
      async (method, path, body, idempotencyKey) => {
        const isText = typeof body === 'string';
        const headers = {
          ...(isText && { 'content-type': 'application/x-ndjson' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        };
        try {
          const sent = { method, headers, body: isText ? body : JSON.stringify(body) };
          const answer = await ask(`/api/projects/${project}/${path}`, sent);
          return { isRefused: false, body: (await answer.json()) as Row };
        } catch (error) {
          if (error instanceof ServiceRefused) return { isRefused: true, why: error.message };
          throw error;
        }
      },
      journal,
      (kind, records) => context.logger.info({ kind, records }, 'read from PostHog'),
    );
    const { kinds, changed, not_moved } = await move.all().catch((error: unknown) => {
      throw error instanceof MovingFault ? new CommandRefused(`${error.message}. Run it again to go on`) : error;
    });
    return { project, journal: journal.file, moved: kinds, changed, not_moved };
  });
};
