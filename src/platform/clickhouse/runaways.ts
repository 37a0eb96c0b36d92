import { type Owner } from '../work/fair-pool.js';
import { Problem } from '../errors/problem.js';

const windowMs = 600_000;
const allowed = 3;

/** The projects whose statements could not be stopped at their limit, so that the process of the engine had to end. */
export class Runaways {
  private readonly at = new Map<Owner, number[]>();

  record(owner: Owner): void {
    this.at.set(owner, [...this.recent(owner), performance.now()].slice(-allowed));
  }

  /** Throws when the project has ended the engine so often that others must be kept from its SQL. */
  assertFew(projectId: number): void {
    const recent = this.recent(projectId);
    if (recent.length < allowed) return;
    const waitMs = (recent[0] ?? 0) + windowMs - performance.now();
    throw new Problem(
      429,
      'throttled_error',
      'throttled',
      `${allowed} statements of this project could not be stopped at their limit within ten minutes, and each interrupted the questions of all projects. ` +
        `Its SQL is refused for ${Math.ceil(waitMs / 1000)} more seconds: find the statements in the log of the service, and let their functions work on fewer values`,
      null,
      { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    );
  }

  private recent(owner: Owner): number[] {
    return (this.at.get(owner) ?? []).filter((at) => performance.now() - at < windowMs);
  }
}
