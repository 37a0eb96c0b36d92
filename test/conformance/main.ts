import { bootstrapFile, removeDir, start, tempDir, terminate } from '../support/process.js';
import { casesFolder, familiesOf } from './case.js';
import { Http } from './http.js';
import { isRight, listedDeviations, outcomeOf, type Outcome } from './outcome.js';
import { runCase } from './run-case.js';
import { watchOf } from './watch.js';

interface Target {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}

/**
 * `npm run conformance`: the cases of CONFORMANCE_CASES=<folder>, or else those of this folder. Where our contract requires
 * another answer, `deviations.json` has the case and the reason: the case runs all the same, and must leave the list once it
 * passes. The service is one of its own, or the one that CONFORMANCE_URL and CONFORMANCE_KEY name (it needs ALLOW_TEST_CLOCK=1).
 */
const target = async (): Promise<Target> => {
  const { CONFORMANCE_URL: url, CONFORMANCE_KEY: key } = process.env;
  if (url && key) return { url, key, stop: () => Promise.resolve() };
  const dataDir = await tempDir();
  const service = await start({ DATA_DIR: dataDir, ALLOW_TEST_CLOCK: '1', LOG_LEVEL: 'error' });
  return {
    url: service.url,
    key: (await bootstrapFile(dataDir)).personal_api_key,
    stop: async () => {
      await terminate(service);
      await removeDir(dataDir);
    },
  };
};

const tally = (outcomes: readonly Outcome[]): string => {
  const number = (counted: string) => outcomes.filter(({ verdict }) => verdict === counted).length;
  return `${number('passed')} passed, ${number('failed')} failed, ${number('deviation')} deviations, ${number('skipped')} skipped`;
};

const service = await target();
const deviations = listedDeviations();
const all: Outcome[] = [];
try {
  const http = new Http(service.url, service.key, await watchOf(service.url));
  for (const { name: family, cases } of familiesOf(casesFolder())) {
    const outcomes: Outcome[] = [];
    for (const given of cases) outcomes.push(outcomeOf(family, given, await runCase(http, given), deviations));
    console.log(`${family}: ${tally(outcomes)}`);
    for (const { name, verdict, lines } of outcomes)
      for (const line of lines) console.log(`  ${verdict.toUpperCase()} ${family} / ${name}: ${line}`);
    all.push(...outcomes);
  }
  console.log(`all: ${tally(all)}`);
} finally {
  await service.stop();
}
process.exit(all.every(isRight) ? 0 : 1);
