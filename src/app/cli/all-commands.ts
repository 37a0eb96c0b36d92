import { type Command, type StorelessCommand } from './command.js';
import {
  backupCommand,
  backupListCommand,
  backupPruneCommand,
  backupVerifyCommand,
  restoreCommand,
} from './commands/backup.js';
import { bootstrap, projectCreate, projectList } from './commands/projects.js';
import { citusDistribute } from './commands/citus.js';
import { cohortsChanges, cohortsRecalculate } from './commands/cohorts.js';
import { deletionsList, deletionsRun } from './commands/deletions.js';
import { eventsArchive, eventsCompress } from './commands/events.js';
import { exportEvents, exportGroups, exportPersons } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { keyCreate, keyList, keyRevoke } from './commands/keys.js';
import { mcpCommand } from './commands/mcp.js';
import { migrateCommand } from './commands/migrate.js';
import { rebuildCommand, retryCommand, statusCommand } from './commands/projection.js';
import { projectDelete, projectDeletions } from './commands/project-deletion.js';
import { queryCommand } from './commands/query.js';
import { baseBackupCommand, recoverCommand } from './commands/recover.js';
import { retentionList } from './commands/retention.js';
import { seed } from './commands/seed.js';
import { userDisconnect, userInvite, userList, userResetPassword, userSignInLink } from './commands/users.js';
import { verifyCommand } from './commands/verify.js';
import { webhooksList, webhooksReplay, webhooksTest } from './commands/webhooks.js';

/** Every command, in the order of the help. */
export const allCommands: readonly (Command | StorelessCommand)[] = [
  bootstrap,
  projectCreate,
  projectList,
  projectDelete,
  projectDeletions,
  keyCreate,
  keyList,
  keyRevoke,
  userInvite,
  userList,
  userResetPassword,
  userSignInLink,
  userDisconnect,
  importCommand,
  exportEvents,
  exportPersons,
  exportGroups,
  seed,
  queryCommand,
  mcpCommand,
  migrateCommand,
  citusDistribute,
  statusCommand,
  retryCommand,
  rebuildCommand,
  verifyCommand,
  eventsCompress,
  eventsArchive,
  backupCommand,
  backupVerifyCommand,
  backupListCommand,
  backupPruneCommand,
  restoreCommand,
  baseBackupCommand,
  recoverCommand,
  cohortsRecalculate,
  cohortsChanges,
  webhooksList,
  webhooksTest,
  webhooksReplay,
  deletionsRun,
  deletionsList,
  retentionList,
];
