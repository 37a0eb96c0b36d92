import { npmOfShipped } from './shipped.mjs';

/** `npm run --silent sbom > sbom.json`: the packages that are shipped, with versions, digests and licences, as CycloneDX. */
const { status, stdout, stderr } = npmOfShipped('sbom', '--sbom-format=cyclonedx', '--sbom-type=application');
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status ?? 1;
