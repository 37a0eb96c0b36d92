import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapFile, engineOf, launch, removeDir, tempDir, untilReady, type RunningProcess } from '../process.js';

export interface Outcome {
  readonly question: string;
  /** 0 if no answer came. */
  readonly status: number;
  readonly detail: string;
  readonly ms: number;
}

/** The time of a question, 30 s, and what may pass until its end is noticed. */
const limitMs = 32_000;
const clockTicks = 100;

/** A service in a process of its own, which can be killed when a statement does not end. Linux only. */
export class CorpusService {
  private running: RunningProcess | null = null;
  private dataDir = '';
  private key = '';
  private project = 0;

  private async started(): Promise<RunningProcess> {
    if (this.running) return this.running;
    this.dataDir = await tempDir();
    const running = await launch({ DATA_DIR: this.dataDir, LOG_LEVEL: 'error' });
    this.running = running;
    await untilReady(running);
    const bootstrap = await bootstrapFile(this.dataDir);
    [this.key, this.project] = [bootstrap.personal_api_key, bootstrap.project_id];
    const event = { event: 'a', distinct_id: 'ada', timestamp: '2024-01-01T00:00:00Z' };
    await fetch(`${running.url}/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: bootstrap.project_token, batch: [event] }),
    });
    return running;
  }

  async ask(question: string): Promise<Outcome> {
    const { url } = await this.started();
    const begun = performance.now();
    const answer = await fetch(`${url}/api/projects/${this.project}/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: question }),
      signal: AbortSignal.timeout(3 * limitMs),
    }).catch(() => null);
    const text = (await answer?.text().catch(() => '')) ?? '';
    const { detail = '' } = (answer?.status === 200 ? {} : parsed(text)) as { detail?: string };
    return { question, status: answer?.status ?? 0, detail, ms: performance.now() - begun };
  }

  /**
   * Asks, and waits until the engine has really ended the statement: an answer "took too long" comes before that. Returns what was
   * wrong, or null. On a busy machine time passes without work, so the processor's time counts.
   */
  async complaint(question: string): Promise<{ readonly outcome: Outcome; readonly complaint: string | null }> {
    const engine = engineOf(await this.started());
    const before = await cpuMs(engine);
    const outcome = await this.ask(question);
    const complaint = await this.complaintAbout(outcome, engine, before + 2 * limitMs).catch(
      () => 'the engine had to be ended',
    );
    if (complaint) await this.stop();
    return { outcome, complaint };
  }

  private async complaintAbout({ status, detail }: Outcome, engine: number, mostMs: number): Promise<string | null> {
    if (status !== 200 && status !== 400) return `${status} ${detail}`;
    if (!/took too long/.test(detail)) return null;
    while (!(await isIdle(engine))) if ((await cpuMs(engine)) > mostMs) return 'it was still computing after its limit';
    return null;
  }

  async stop(): Promise<void> {
    const { running } = this;
    this.running = null;
    running?.child.kill('SIGKILL');
    await running?.exited;
    if (this.dataDir) await removeDir(this.dataDir);
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** Processor time of all threads. */
const cpuMs = async (pid: number): Promise<number> => {
  const fields = (await readFile(join('/proc', String(pid), 'stat'), 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / clockTicks;
};

const isIdle = async (pid: number): Promise<boolean> => {
  const before = await cpuMs(pid);
  await sleep(500);
  return (await cpuMs(pid)) - before < 100;
};
