import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmOfShipped } from './shipped.mjs';

/**
 * `npm run advisories`: the known faults of shipped packages that have no judgement yet. Exits with 1 when there are some, or a
 * judgement of a fault that is gone, and with 3 when the registry does not answer.
 */
const judged = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'docs', 'judged-advisories.json'), 'utf8'));
const { stdout, stderr } = npmOfShipped('audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000');

const reportIn = (text) => {
  try {
    const report = JSON.parse(text);
    return report.vulnerabilities ? report : null;
  } catch {
    return null;
  }
};

/** An advisory is named by its address, of which the last part is its id. */
const advisoriesIn = ({ vulnerabilities }) =>
  Object.values(vulnerabilities).flatMap(({ name, via }) =>
    via.flatMap((cause) =>
      typeof cause === 'string' ? [] : [{ id: cause.url.split('/').at(-1), package: name, title: cause.title }],
    ),
  );

const report = reportIn(stdout);
if (report === null) {
  console.log(`The registry does not say which packages have known faults: ${(stderr || stdout).trim().slice(0, 300)}`);
  process.exitCode = 3;
} else {
  const found = advisoriesIn(report);
  const unjudged = found.filter(({ id }) => !(id in judged));
  const gone = Object.keys(judged).filter((id) => !found.some((advisory) => advisory.id === id));
  for (const { id, package: name, title } of unjudged) console.log(`${id} ${name}: ${title} (not judged)`);
  for (const id of gone)
    console.log(`${id} is judged, but does not concern the shipped packages any longer: remove it`);
  console.log(`${found.length} known faults of shipped packages, ${unjudged.length} not judged`);
  process.exitCode = unjudged.length + gone.length > 0 ? 1 : 0;
}
