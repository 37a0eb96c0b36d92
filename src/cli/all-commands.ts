import { type Command } from './command.js';
import { bootstrap } from './commands/bootstrap.js';
import { cohortsRecalculate } from './commands/cohorts.js';
import { deletionsList, deletionsRun } from './commands/deletions.js';
import { exportEvents, exportPersons } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { keyCreate, keyList, keyRevoke } from './commands/keys.js';
import { migrateCommand } from './commands/migrate.js';
import { rebuildCommand, statusCommand } from './commands/projection.js';
import { projectCreate, projectList } from './commands/projects.js';
import { queryCommand } from './commands/query.js';
import { seed } from './commands/seed.js';
import { userInvite, userResetPassword } from './commands/users.js';

/** Every command, in the order of the help. */
export const allCommands: readonly Command[] = [
  bootstrap,
  projectCreate,
  projectList,
  keyCreate,
  keyList,
  keyRevoke,
  userInvite,
  userResetPassword,
  importCommand,
  exportEvents,
  exportPersons,
  seed,
  queryCommand,
  migrateCommand,
  statusCommand,
  rebuildCommand,
  cohortsRecalculate,
  deletionsRun,
  deletionsList,
];
