import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

interface Outcome {
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly message: string;
  readonly processorMs: number;
}

/** Reads one text in a process of its own. `wallMs` is as short as the test needs it. */
const program = `
  import('./dist/src/sql/parse/parser.js').then(async ({ QueryParser }) => {
    const [text, wallMs] = process.argv.slice(1);
    const parser = await QueryParser.open({ processorMs: 1_000, wallMs: Number(wallMs) });
    await parser.parse('select 1');
    const begun = process.cpuUsage();
    setTimeout(() => console.log('reading'), 100);
    const outcome = await parser.parse(text).then(() => ({ message: 'read' }), (error) => error);
    const { user, system } = process.cpuUsage(begun);
    console.log(JSON.stringify({
      status: outcome.status ?? null,
      retryAfter: outcome.headers?.['Retry-After'] ?? null,
      message: outcome.message,
      processorMs: (user + system) / 1000,
    }));
  });
`;

/** The kernel stops the process, as if all processors had other work to do. */
const readWhileStopped = async (text: string, { stoppedMs, wallMs }: Record<'stoppedMs' | 'wallMs', number>) => {
  const child = spawn(process.execPath, ['-e', program, text, String(wallMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  child.kill('SIGSTOP');
  await sleep(stoppedMs);
  child.kill('SIGCONT');
  await exited;
  return JSON.parse(output.split('\n')[1] ?? '') as Outcome;
};

/** It would take the parser years. */
const hostile = `select ${'cast('.repeat(60)}`;

// Only Linux tells the processor time of a thread.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('on a busy computer', () => {
  it('a question is refused as mistaken only when the parser has used a second of processor time', async () => {
    const { status, message, processorMs } = await readWhileStopped(hostile, { stoppedMs: 2_000, wallMs: 60_000 });
    expect(message).toMatch(/^The question cannot be read within a second of processor time/);
    expect(status).toBeNull();
    expect(processorMs).toBeGreaterThan(900);
  });

  it('a question for which there was no processor time is a 503', async () => {
    const outcome = await readWhileStopped(hostile, { stoppedMs: 2_500, wallMs: 2_000 });
    expect(outcome).toMatchObject({ status: 503, retryAfter: '1' });
    expect(outcome.message).toMatch(/busy/);
  });
});
