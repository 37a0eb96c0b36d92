import { type Bench } from './bench.js';
import { consoleBench } from './console/console.js';
import { cohortUpload } from './cohort-upload.js';
import { bytes } from './bytes.js';
import { changes } from './changes.js';
import { cohort } from './cohort.js';
import { csv } from './csv.js';
import { exported } from './export.js';
import { fairness } from './fairness.js';
import { flags } from './flags.js';
import { freshness } from './freshness.js';
import { growth } from './growth.js';
import { hundred } from './hundred.js';
import { idle } from './idle.js';
import { imported } from './import.js';
import { ingestSingle } from './ingest-single.js';
import { ingest } from './ingest.js';
import { logGrowth } from './log-growth.js';
import { memory } from './memory.js';
import { membership } from './membership.js';
import { persons } from './persons.js';
import { processor } from './processor.js';
import { questions } from './questions.js';
import { rebuild } from './rebuild.js';
import { soak } from './soak/soak.js';
import { sql } from './sql.js';
import { start } from './start.js';

export const benches: readonly Bench[] = [
  start,
  idle,
  processor,
  ingest,
  ingestSingle,
  fairness,
  bytes,
  logGrowth,
  freshness,
  rebuild,
  persons,
  membership,
  flags,
  memory,
  csv,
  exported,
  imported,
  cohort,
  changes,
  cohortUpload,
  questions,
  growth,
  hundred,
  sql,
  consoleBench,
  soak,
];
