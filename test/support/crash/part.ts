import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, launch, terminate, type Env, type RunningProcess } from '../process.js';

export type Role = 'api' | 'worker';

/** A process of the service under an orchestrator, which starts it again on the same port whenever it ends. */
export class Part {
  private isEnding = false;
  private process: RunningProcess | null = null;
  private readonly kept: Promise<void>;

  private constructor(
    readonly role: Role,
    readonly url: string,
    private readonly env: Env,
  ) {
    this.kept = this.keep();
  }

  static async start(role: Role, env: Env): Promise<Part> {
    const port = await freePort();
    return new Part(role, `http://127.0.0.1:${port}`, { ...env, ROLE: role, PORT: String(port) });
  }

  kill(): void {
    this.process?.child.kill('SIGKILL');
  }

  /** Stops the process for a while, as a machine does that has no time for it. */
  async pause(ms: number): Promise<void> {
    const { process } = this;
    process?.child.kill('SIGSTOP');
    await sleep(ms);
    process?.child.kill('SIGCONT');
  }

  /** Asks the process to end, and returns once the next one is ready. */
  async replace(): Promise<void> {
    const { process } = this;
    process?.child.kill('SIGTERM');
    await process?.exited;
    await this.ready();
  }

  /** Throws when the process cannot be started for so long. */
  async ready(): Promise<RunningProcess> {
    for (let left = 600; left > 0; left -= 1) {
      const answer = await fetch(`${this.url}/_readyz`).catch(() => null);
      if (answer?.status === 200 && this.process) return this.process;
      await sleep(100);
    }
    throw new Error(`the ${this.role} is not ready: ${this.process?.output().slice(-3000)}`);
  }

  async end(): Promise<void> {
    this.isEnding = true;
    this.kill();
    await this.kept;
  }

  /** Returns the exit code. */
  async terminate(): Promise<number | null> {
    this.isEnding = true;
    return this.process && (await terminate(this.process)).code;
  }

  private async keep(): Promise<void> {
    while (!this.isEnding) {
      this.process = await launch(this.env);
      await this.process.exited;
    }
  }
}
