import { run as withHeyApi } from './with-hey-api';
import { run as withOpenapiFetch } from './with-openapi-fetch';
import { run as withOrval } from './with-orval';
import { run as withSwaggerTypescriptApi } from './with-swagger-typescript-api';
import { type Outcome, type Target } from './scenario';

const clients: Readonly<Record<string, (target: Target) => Promise<Outcome>>> = {
  '@hey-api/openapi-ts': withHeyApi,
  'openapi-typescript and openapi-fetch': withOpenapiFetch,
  'orval, with zod': withOrval,
  'swagger-typescript-api': withSwaggerTypescriptApi,
};

const main = async (): Promise<void> => {
  const [baseUrl = '', key = '', project = ''] = process.argv.slice(2);
  const outcomes: Record<string, Outcome | string> = {};
  for (const [name, run] of Object.entries(clients))
    outcomes[name] = await run({ baseUrl, key, project }).catch((error: unknown) =>
      error instanceof Error ? String(error.stack) : JSON.stringify(error),
    );
  process.stdout.write(JSON.stringify(outcomes));
};

void main();
