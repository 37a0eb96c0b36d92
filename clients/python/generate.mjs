/** Words that cannot name an argument or a field of a class. */
const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

const isName = (name) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name) => name.replace(/(?:^|[^A-Za-z0-9]+)([a-z])?/g, (_, letter = '') => letter.toUpperCase());
const nameOf = ($ref) => $ref.slice($ref.lastIndexOf('/') + 1);
const quoted = (text) => `'${text.replace(/[\\']/g, '\\$&')}'`;
const words = new Map([
  [null, 'None'],
  [true, 'True'],
  [false, 'False'],
]);
/** Single quotes, so that a type may also be in a string. */
const literal = (value) => words.get(value) ?? (typeof value === 'string' ? quoted(value) : String(value));
const union = (types) => [...new Set(types)].join(' | ');
const docstring = (text, indent) => `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'").trim()}"""\n`;

const plain = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

/** Classes and aliases of the schemas, and of the objects inside them, each under a name of its own. */
class Schemas {
  definitions = new Map();

  /** The type of a schema; an object inside gets a class that is named after its position. */
  typeOf(schema, name) {
    if (schema.$ref) return nameOf(schema.$ref);
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (alternatives && !schema.properties)
      // Checkers infer a list among alternatives only if it need not have exactly the type of one of them.
      return union(alternatives.map((each, at) => this.typeOf(each, `${name}${at === 0 ? '' : at + 1}`))).replace(
        /(^|\| )list\[/g,
        '$1Sequence[',
      );
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.typeOf({ ...schema, type }, name)));
    if (schema.type === 'array') return `list[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (schema.type === 'object' || schema.properties) {
      if (schema.properties) return this.define(name, schema);
      const { additionalProperties: values } = schema;
      return `dict[str, ${values && values !== true ? this.typeOf(values, `${name}Value`) : 'Any'}]`;
    }
    return plain[schema.type] ?? 'Any';
  }

  define(name, { properties = {}, required = [], description }) {
    this.definitions.set(name, '');
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = this.typeOf(schema, name + pascal(field));
      return [field, required.includes(field), type];
    });
    const text = fields.every(([field]) => isName(field))
      ? `class ${name}(TypedDict):\n${description ? docstring(description, '    ') : ''}${
          fields
            .map(([field, isGiven, type]) => `    ${field}: ${isGiven ? type : `NotRequired[${type}]`}\n`)
            .join('') || '    pass\n'
        }`
      : `${name} = TypedDict(\n    "${name}",\n    {\n${fields
          .map(([field, isGiven, type]) => `        "${field}": ${isGiven ? `"${type}"` : `NotRequired["${type}"]`},\n`)
          .join('')}    },\n)\n`;
    this.definitions.set(name, text);
    return name;
  }

  add(name, schema) {
    if (schema.properties && schema.type === 'object') this.define(name, schema);
    else this.definitions.set(name, `${name}: TypeAlias = "${this.typeOf(schema, name)}"\n`);
  }
}

const head = (what) =>
  `"""${what} Generated from /openapi.json: \`npm run clients\`."""\n\nfrom __future__ import annotations\n\n`;

const jsonOf = (content) => content?.['application/json']?.schema;

/** The types of all successful answers; null where one of them is not JSON. */
const answerOf = (operation, schemas, name) => {
  const answers = Object.entries(operation.responses).filter(([status]) => status < 300);
  const types = answers.map(([, { content }]) => {
    if (!content) return 'None';
    const schema = jsonOf(content);
    return schema ? schemas.typeOf(schema, `${name}Answer`) : null;
  });
  return types.includes(null) ? null : union(types);
};

/** The type of the records of an answer in pages; null for other answers. */
const recordOf = (operation, document, schemas) => {
  const $ref = jsonOf(operation.responses[200]?.content)?.$ref;
  const { next, results } = ($ref && document.components.schemas[nameOf($ref)].properties) || {};
  return next && results ? schemas.typeOf(results.items, '') : null;
};

/** A JSON text in a query string is given as the value that it stands for. */
const valueOf = ({ schema }) => schema.contentSchema ?? schema;

const queryOf = (operation, isJson, schemas, name) => {
  const parameters = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && isName(parameter.name) && !(isJson && parameter.name === 'format'),
  );
  if (parameters.length === 0) return null;
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter.name, valueOf(parameter)]));
  const required = parameters.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  return schemas.define(`${name}Query`, { properties, required });
};

const bodyOf = ({ requestBody }, schemas, name) => {
  if (!requestBody) return null;
  const schema = jsonOf(requestBody.content);
  const type = schema ? schemas.typeOf(schema, `${name}Body`) : 'bytes';
  return {
    argument: requestBody.required ? `body: ${type}` : `body: ${type} | None = None`,
    type: Object.keys(requestBody.content)[0],
  };
};

const methodOf = (document, schemas, path, verb, operation) => {
  const name = pascal(operation.operationId);
  const answer = answerOf(operation, schemas, name);
  const parameters = operation.parameters ?? [];
  const parts = parameters.filter((each) => each.in === 'path' && each.name !== 'project_id');
  const query = queryOf(operation, answer !== null, schemas, name);
  const body = bodyOf(operation, schemas, name);
  const isKeyed = parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
  const ids = parts.map((part) => `${part.name}: ${part.schema.type === 'integer' ? 'int' : 'str | int'}`);
  const options = isKeyed ? ['idempotency_key: str | None = None'] : [];
  const last = query ? [`**query: Unpack[${query}]`] : [];
  const signature = (own) => ['self', ...ids, ...own, ...last].join(', ');
  const address = parts
    .reduce((text, part) => text.replace(`{${part.name}}`, `{part(${part.name})}`), path)
    .replace('{project_id}', '{self.project}');
  const at = `"${verb.toUpperCase()}", ${address.includes('{') ? 'f' : ''}"${address}"`;
  const sent = [
    ...(query ? ['query=query'] : []),
    ...(body ? ['body=body', ...(body.type === 'application/json' ? [] : [`content_type="${body.type}"`])] : []),
    ...(isKeyed ? ['idempotency_key=idempotency_key or new_key()'] : []),
  ];
  const call = (method) => `self.${method}(${[at, ...sent].join(', ')})`;
  const own = [...(body ? [body.argument] : []), ...(options.length > 0 ? ['*', ...options] : [])];
  const text = docstring(operation.summary ?? '', '        ');
  const plainMethod =
    `    def ${snake(operation.operationId)}(${signature(own)}) -> ${answer ?? 'Answer'}:\n${text}` +
    `        return ${call(answer === null ? 'open' : 'json')}\n`;
  const record = operation.operationId.startsWith('list') ? recordOf(operation, document, schemas) : null;
  if (!record) return plainMethod;
  const iterator =
    `    def ${snake(operation.operationId).replace('list_', 'iter_')}(${signature([])}) -> Iterator[${record}]:\n` +
    `${docstring(`${operation.summary}: all records, page by page`, '        ')}        return ${call('walk')}\n`;
  return `${plainMethod}\n${iterator}`;
};

/** The modules of the package `kohort` that are generated from a document: its types, and a method for each operation that a key opens. */
export const pythonOf = (document) => {
  const schemas = new Schemas();
  for (const [name, schema] of Object.entries(document.components.schemas)) schemas.add(name, schema);
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { security }]) => security?.some((way) => 'personalApiKey' in way))
      .map(([verb, operation]) => methodOf(document, schemas, path, verb, operation)),
  );
  const repeated = Object.values(document.paths)
    .flatMap((item) => Object.values(item).flatMap(({ parameters = [] }) => parameters))
    .filter((parameter) => parameter.in === 'query' && parameter.schema.type === 'array')
    .map(({ name }) => JSON.stringify(name));
  const types = [...schemas.definitions.values()].join('\n\n');
  const operations = methods.join('\n');
  const used = [...schemas.definitions.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(operations)).sort();
  return {
    'schema.py': `${head('The shapes of requests and answers.')}from collections.abc import Sequence\nfrom typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n\n\n${types}`,
    'operations.py':
      `${head('A method for each operation that a key opens.')}from collections.abc import Iterator\nfrom typing import Any, Literal, Unpack\n\n` +
      `from .schema import (\n${used.map((name) => `    ${name},\n`).join('')})\n` +
      `from .transport import Answer, Transport, new_key, part\n\n\n` +
      `class Operations(Transport):\n    repeated = frozenset((${[...new Set(repeated)].join(', ')},))\n\n${operations}`,
  };
};
