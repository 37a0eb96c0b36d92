import { type Caller } from '../../kernel/access/caller.js';
import { holds } from '../../kernel/access/scopes.js';
import { permissionDenied } from '../../platform/errors/problem.js';
import { type UpdateProjectBody } from '../project.dto.js';

/**
 * The settings that only owners of the installation change: an admin of a project must not lift its limits, or stop the record of
 * reads.
 */
export type OwnerSetting = keyof Pick<UpdateProjectBody, 'quotas' | 'audit_reads'>;

export const assertOwner = ({ projectIds, scopes }: Caller, setting: OwnerSetting): void => {
  if (projectIds === null && holds(scopes, '*')) return;
  throw permissionDenied(
    `Only an owner of the installation, or a key with the scope * on all projects, sets ${setting}: leave it out, or send it as it was read`,
    setting,
  );
};
