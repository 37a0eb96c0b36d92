import { parseArgs } from 'node:util';
import { Random } from '../random.js';
import { askCorpus } from './run.js';
import { ownService, serviceAt } from './scene.js';

/**
 * `npm run fuzz:sql -- --seconds 1800`: three projects send the longest questions in SQL that are allowed while a fourth one asks quiet
 * questions. One line of JSON with figures on standard output, 1 if an answer was wrong or late, a quiet question failed, or their p99 more than doubled. `--url` and `--key` (of an owner) name a service that
 * runs already.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    url: { type: 'string' },
    key: { type: 'string' },
  },
});

const scene = values.url && values.key ? await serviceAt(values.url, values.key) : await ownService();
console.error(`seed ${values.seed}`);
try {
  const report = await askCorpus(scene, Number(values.seconds) * 1000, new Random(Number(values.seed), 0));
  console.log(JSON.stringify({ bench: 'corpus', seed: Number(values.seed), ...report }));
  process.exitCode = report.is_right ? 0 : 1;
} finally {
  await scene.stop();
}
