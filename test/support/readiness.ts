import { type ReadyDto } from '../../src/operations/health/health.dto.js';
import { type RunningProcess } from './process.js';

export const readinessOf = async ({ url }: Pick<RunningProcess, 'url'>) => {
  const answer = await fetch(`${url}/_readyz`);
  const { can, checks } = (await answer.json()) as ReadyDto;
  return { status: answer.status, can, postgres: checks.postgres };
};
