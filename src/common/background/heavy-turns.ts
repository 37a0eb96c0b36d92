import { within } from './within.js';

export interface TurnLimits {
  /** The turn begins after this time at the latest, whatever the turns before it do. */
  readonly waitMs: number;
  /** A turn that nothing ends, because a client does not read, ends after this time. */
  readonly holdMs?: number;
}

/**
 * While several projects are active, the heavy work of each is done one piece at a time: a long question, or a step of an
 * export or of an upload. Each alone leaves a processor to the other projects; two at a time need all of a small machine.
 */
export class HeavyTurns {
  /** Settled when all turns of the project so far have ended. */
  private readonly last = new Map<number, Promise<unknown>>();

  /** Returns the function that ends the turn. */
  async take(project: number, { waitMs, holdMs }: TurnLimits): Promise<() => void> {
    const before = this.last.get(project);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const all = Promise.all([before, ended]);
    this.last.set(project, all);
    void all.then(() => this.last.get(project) === all && this.last.delete(project));
    if (before) await within(waitMs, before);
    const expiry = holdMs === undefined ? undefined : setTimeout(end, holdMs);
    return () => {
      clearTimeout(expiry);
      end();
    };
  }
}
