import { readSmallId } from '../../../platform/values/ids.js';
import { type CohortChangesDto } from '../../../cohorts/changes/changes.dto.js';
import { UsageError, type Command, type Flags, type GivenWords } from '../command.js';
import { namedProject, projectOption } from '../project-flag.js';
import { withService } from '../running-service.js';

const projectOf = ({ project }: Flags): number | null => {
  const id = project === undefined ? null : readSmallId(project);
  if (project !== undefined && id === null) throw new UsageError('--project must be the id of a project');
  return id;
};

export const cohortsRecalculate: Command = {
  name: 'cohorts recalculate',
  usage: 'cohorts recalculate [--project <id>]',
  summary: 'queue all dynamic cohorts of one project, or of all projects, for calculation',
  options: { project: { value: 'ID', about: 'only the cohorts of this project' } },
  check: ({ flags }) => void projectOf(flags),
  run: async ({ database, flags }) => {
    const { queueAll } = await import('../../../cohorts/record/calculations.repository.js');
    return { queued: await queueAll(database.postgres, projectOf(flags)) };
  },
};

/** `--follow` ends after a day, because the key of the command expires then. */
const followedMinutes = 24 * 60;

export const cohortsChanges: Command = {
  name: 'cohorts changes',
  usage: 'cohorts changes 3 [--follow] [--after <cursor>] [--project 1]',
  summary: 'print who entered and left a cohort, one JSON object in each line, its members of now first',
  arguments: 1,
  options: {
    follow: { value: null, about: 'wait for further changes and print them too' },
    after: { value: 'CURSOR', about: 'continue after this change; "latest" for what happens from now on' },
    project: projectOption,
  },
  check: (given) => void cohortOf(given),
  run: async (context) => {
    const cohort = cohortOf(context);
    const { follow, after = '' } = context.flags;
    const project = await namedProject(context);
    const scopes = ['cohort:read', 'person:read'] as const;
    const ends = Date.now() + followedMinutes * 60_000;
    return withService(
      context,
      { project, scopes, command: 'cohorts changes', minutes: followedMinutes },
      async (ask) => {
        let cursor = after;
        for (let more = true; more && Date.now() < ends;) {
          const query = new URLSearchParams({
            limit: '10000',
            wait: follow ? '30' : '0',
            ...(cursor && { after: cursor }),
          });
          const answer = await ask(`/api/projects/${project}/cohorts/${cohort}/changes?${query.toString()}`);
          const page = (await answer.json()) as CohortChangesDto;
          process.stdout.write(page.results.map((change) => `${JSON.stringify(change)}\n`).join(''));
          more = page.has_more || follow !== undefined;
          ({ cursor } = page);
        }
        return '';
      },
    );
  },
};

const cohortOf = ({ args: [id] }: GivenWords): number => {
  const cohort = readSmallId(id);
  if (cohort === null) throw new UsageError('name the cohort by its id');
  return cohort;
};
