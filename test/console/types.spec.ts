import { expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { sharedService } from '../support/shared-service.js';

const file = join(import.meta.dirname, '../../console/src/api/schema.d.ts');

it('has the types of the console as the OpenAPI document gives them; `npm run console:types` writes them', async () => {
  const { url } = await sharedService();
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenAPI3;
  const types = astToString(await openapiTypes(document));
  if (process.env.UPDATE_CONSOLE_TYPES) await writeFile(file, types);
  expect(await readFile(file, 'utf8')).toBe(types);
});
