import { type Caller } from '../../kernel/access/caller.js';
import { holds } from '../../kernel/access/scopes.js';
import { permissionDenied } from '../../platform/errors/problem.js';
import { type UpdateProjectBody } from '../project.dto.js';

/** Limits and the record of reads are not for those whom they concern: an admin of a project does not change them. */
export type OwnerSetting = keyof Pick<UpdateProjectBody, 'quotas' | 'audit_reads'>;

export const assertOwner = ({ projectIds, scopes }: Caller, setting: OwnerSetting): void => {
  if (projectIds === null && holds(scopes, '*')) return;
  throw permissionDenied(
    `Only an owner of the installation, or a key with the scope * on all projects, sets ${setting}: leave it out, or send it as it was read`,
    setting,
  );
};
