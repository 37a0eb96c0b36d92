import { Foundation1763700000000 } from './1763700000000-foundation.js';
import { Capture1763800000000 } from './1763800000000-capture.js';
import { Projection1763800001000 } from './1763800001000-projection.js';
import { Activity1763900000000 } from './1763900000000-activity.js';
import { Idempotency1763900001000 } from './1763900001000-idempotency.js';
import { Deletions1763900002000 } from './1763900002000-deletions.js';
import { PersonCounts1763900003000 } from './1763900003000-person-counts.js';
import { Cohorts1764000000000 } from './1764000000000-cohorts.js';
import { CohortCalculation1764100000000 } from './1764100000000-cohort-calculation.js';
import { PersonsWithoutProjectKey1764200000000 } from './1764200000000-persons-without-project-key.js';
import { KeysAndTheirMakers1764300000000 } from './1764300000000-keys-and-their-makers.js';
import { NothingOutlivesADeletion1764300001000 } from './1764300001000-nothing-outlives-a-deletion.js';
import { Actions1764400000000 } from './1764400000000-actions.js';
import { SearchOfPersons1764500000000 } from './1764500000000-search-of-persons.js';
import { UuidsOfMergedPersons1764600000000 } from './1764600000000-uuids-of-merged-persons.js';
import { DistinctIdsOfPersons1764790000000 } from './1764790000000-distinct-ids-of-persons.js';
import { ReportsOfUploads1764800000000 } from './1764800000000-reports-of-uploads.js';
import { CountsOfIngestion1764801000000 } from './1764801000000-counts-of-ingestion.js';
import { ImportsAsJobs1764802000000 } from './1764802000000-imports-as-jobs.js';
import { CohortsByQuery1764900000000 } from './1764900000000-cohorts-by-query.js';
import { Accounts1765000000000 } from './1765000000000-accounts.js';
import { SavedInsights1765100000000 } from './1765100000000-saved-insights.js';
import { Catalogue1765101000000 } from './1765101000000-catalogue.js';
import { Arrivals1765400000000 } from './1765400000000-arrivals.js';
import { SingleSignOn1765500000000 } from './1765500000000-single-sign-on.js';
import { ParkedShipments1765600000000 } from './1765600000000-parked-shipments.js';
import { CohortChanges1765700000000 } from './1765700000000-cohort-changes.js';
import { ExpiryOfEvents1765730000000 } from './1765730000000-expiry-of-events.js';
import { MergesAndSplits1765740000000 } from './1765740000000-merges-and-splits.js';
import { Webhooks1765750000000 } from './1765750000000-webhooks.js';
import { RateWindows1765760000000 } from './1765760000000-rate-windows.js';
import { RotatedSecrets1765780000000 } from './1765780000000-rotated-secrets.js';
import { RotatedProjectTokens1765781000000 } from './1765781000000-rotated-project-tokens.js';
import { IdsOfUndoneSplits1765790000000 } from './1765790000000-ids-of-undone-splits.js';
import { DeletedProjects1765800000000 } from './1765800000000-deleted-projects.js';
import { ReceiptsOfDeletedProjects1765801000000 } from './1765801000000-receipts-of-deleted-projects.js';
import { PersonsOfSplits1765805000000 } from './1765805000000-persons-of-splits.js';
import { Quotas1765810000000 } from './1765810000000-quotas.js';
import { AuditTrail1765811000000 } from './1765811000000-audit-trail.js';
import { CommitsOfRequests1765812000000 } from './1765812000000-commits-of-requests.js';
import { ShipmentsOfSeveralProcesses1765900000000 } from './1765900000000-shipments-of-several-processes.js';
import { TablesOfNodes1765910000000 } from './1765910000000-tables-of-nodes.js';
import { BlocksOfProperties1765920000000 } from './1765920000000-blocks-of-properties.js';
import { SmallIndexOfDistinctIds1765930000000 } from './1765930000000-small-index-of-distinct-ids.js';
import { MadeByKeys1765943000000 } from './1765943000000-made-by-keys.js';
import { IdentityOfTheProjection1765950000000 } from './1765950000000-identity-of-the-projection.js';
import { CostsOfProjects1765960000000 } from './1765960000000-costs-of-projects.js';

/** In the order they run. A migration that has left this repository is never edited. */
export const postgresMigrations = [
  Foundation1763700000000,
  Capture1763800000000,
  Projection1763800001000,
  Activity1763900000000,
  Idempotency1763900001000,
  Deletions1763900002000,
  PersonCounts1763900003000,
  Cohorts1764000000000,
  CohortCalculation1764100000000,
  PersonsWithoutProjectKey1764200000000,
  KeysAndTheirMakers1764300000000,
  NothingOutlivesADeletion1764300001000,
  Actions1764400000000,
  SearchOfPersons1764500000000,
  UuidsOfMergedPersons1764600000000,
  DistinctIdsOfPersons1764790000000,
  ReportsOfUploads1764800000000,
  CountsOfIngestion1764801000000,
  ImportsAsJobs1764802000000,
  CohortsByQuery1764900000000,
  Accounts1765000000000,
  SavedInsights1765100000000,
  Catalogue1765101000000,
  Arrivals1765400000000,
  SingleSignOn1765500000000,
  ParkedShipments1765600000000,
  CohortChanges1765700000000,
  ExpiryOfEvents1765730000000,
  MergesAndSplits1765740000000,
  Webhooks1765750000000,
  RateWindows1765760000000,
  RotatedSecrets1765780000000,
  RotatedProjectTokens1765781000000,
  IdsOfUndoneSplits1765790000000,
  DeletedProjects1765800000000,
  ReceiptsOfDeletedProjects1765801000000,
  PersonsOfSplits1765805000000,
  Quotas1765810000000,
  AuditTrail1765811000000,
  CommitsOfRequests1765812000000,
  ShipmentsOfSeveralProcesses1765900000000,
  TablesOfNodes1765910000000,
  BlocksOfProperties1765920000000,
  SmallIndexOfDistinctIds1765930000000,
  MadeByKeys1765943000000,
  IdentityOfTheProjection1765950000000,
  CostsOfProjects1765960000000,
];
