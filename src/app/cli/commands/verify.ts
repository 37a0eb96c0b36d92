import { type ArchivedFiles } from '../../../operations/backup/comparison/archived-files.js';
import { type StoreComparison } from '../../../operations/backup/comparison/compare-stores.js';
import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { CommandRefused, UsageError, type Command, type CommandContext } from '../command.js';

export const verifyCommand: Command = {
  name: 'verify',
  usage: 'verify [--project 1]',
  summary:
    'compare both stores by project and day: events, persons, groups and members of static cohorts, and check archived events; a difference ends with 1',
  options: { project: { value: 'ID', about: 'only this project' } },
  check: (given) => void projectOf(given),
  run: async (context) => {
    const compared = await compare(context);
    const archive = await archivedFiles(context);
    if (compared.differences.length + compared.waiting.length + archive.damaged.length > 0) process.exitCode = 1;
    return {
      projects: compared.projects,
      events: compared.events,
      persons: compared.persons,
      groups: compared.groups,
      static_members: compared.staticMembers,
      differences: compared.differences.map(({ postgresHash, clickhouseHash, ...difference }) => ({
        ...difference,
        postgres_hash: postgresHash,
        clickhouse_hash: clickhouseHash,
      })),
      waiting: compared.waiting,
      archived_files: archive.files,
      damaged_files: archive.damaged,
    };
  },
};

const projectOf = ({ flags: { project } }: Pick<CommandContext, 'flags'>): number | undefined => {
  if (project !== undefined && !/^[1-9]\d{0,8}$/.test(project))
    throw new UsageError('--project must be the id of a project');
  return project === undefined ? undefined : Number(project);
};

const compare = async (context: CommandContext): Promise<StoreComparison> => {
  const { config, database } = context;
  if (database.besideService && config.clickhouseUrl === null)
    throw new CommandRefused(
      'the running service has the embedded ClickHouse, which only one process can read: stop the service, and try again',
    );
  const { compareStores } = await import('../../../operations/backup/comparison/compare-stores.js');
  const { withWorkers } = await import('../clickhouse.js');
  const { postgres } = database;
  const compared = (clickhouse: ClickHouse) => compareStores({ postgres, clickhouse }, { project: projectOf(context) });
  return withWorkers(context, ['projection'], compared, { fills: false });
};

const archivedFiles = async (context: CommandContext): Promise<ArchivedFiles> => {
  const { checkArchivedFiles } = await import('../../../operations/backup/comparison/archived-files.js');
  const { postgres } = context.database;
  const { rows } = await postgres.query<{ id: number }>('SELECT id FROM projects ORDER BY id');
  const project = projectOf(context);
  return checkArchivedFiles(postgres, project === undefined ? rows.map(({ id }) => id) : [project]);
};
