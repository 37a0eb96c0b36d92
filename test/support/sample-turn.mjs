import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' });
const commit = Number.parseInt(stdout?.slice(0, 8) ?? '', 16);
const day = Math.floor(Date.now() / 86_400_000);

/**
 * What takes too long for every run is run in turns: samples of long lists, and spec files. A commit has the same turn wherever it
 * is tested, and the next commit another. `SAMPLE_TURN=…` repeats a turn.
 */
process.env.SAMPLE_TURN ??= String(Number.isNaN(commit) ? day : commit);
