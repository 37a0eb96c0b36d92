import openapiTypes, { astToString } from 'openapi-typescript';

/** The operations that honour an `Idempotency-Key`, which types cannot tell at run time. */
const keyedOf = ({ paths }) => {
  const names = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { parameters = [] }]) => parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')))
      .map(([method]) => `  '${method.toUpperCase()} ${path}',\n`),
  );
  return `/** The operations that honour an \`Idempotency-Key\`. */\nexport const keyed: ReadonlySet<string> = new Set([\n${names.join('')}]);\n`;
};

/** The files of `src` that are generated from a document. */
export const typescriptOf = async (document) => ({
  'schema.d.ts': astToString(await openapiTypes(document)),
  'keyed.ts': keyedOf(document),
});
