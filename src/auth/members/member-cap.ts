import { type ClientBase } from 'pg';
import { type Problem } from '../../platform/errors/problem.js';
import { lockProject, quotaReached, quotasOf } from '../../kernel/projects/projects.repository.js';
import { countMembers } from './members.repository.js';

/**
 * Returns a problem if the project has no room for one more member; otherwise null. Other transactions that add members wait from
 * this call until this transaction ends.
 */
export const noRoomForMember = async (client: ClientBase, projectId: number): Promise<Problem | null> => {
  await lockProject(client, projectId);
  const { members: quota } = await quotasOf(client, projectId);
  if (quota === null || (await countMembers(client, projectId)) < quota) return null;
  return quotaReached('members', quota, 'members', 'remove members who no longer need it');
};

export const assertRoomForMember = async (client: ClientBase, projectId: number): Promise<void> => {
  const problem = await noRoomForMember(client, projectId);
  if (problem) throw problem;
};
