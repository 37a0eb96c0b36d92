const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const noUuid = '00000000-0000-4000-8000-000000000000';
const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The collection of all requests of a document, in the format of Postman 2.1, which Bruno, Insomnia and others import, too. */
export const collectionOf = (document) => {
  const resolve = (node) =>
    node?.$ref
      ? node.$ref
          .slice(2)
          .split('/')
          .reduce((at, name) => at[name], document)
      : node;

  /** The first example of a body, or else examples of its fields. Where none is required, one may exclude the others. */
  const exampleOf = ({ example, examples, schema: ref }) => {
    const [first] = Object.values(examples ?? {});
    const { example: own, properties = {}, required = [] } = resolve(ref);
    const fields = Object.entries(properties).filter(([, field]) => field.example !== undefined);
    const chosen = required.length > 0 ? fields : fields.slice(0, 1);
    return example ?? first?.value ?? own ?? Object.fromEntries(chosen.map(([name, field]) => [name, field.example]));
  };

  const bodyOf = ([type, media]) => {
    if (type === 'multipart/form-data') return { mode: 'formdata', formdata: [] };
    const value = exampleOf(media);
    const raw = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return { mode: 'raw', raw, options: { raw: { language: type === 'application/json' ? 'json' : 'text' } } };
  };

  const described = ({ name, description = '', example, schema: ref }) => {
    const { example: own, default: usual, enum: choices = [] } = resolve(ref);
    return { key: name, value: textOf(example ?? own ?? usual ?? choices[0] ?? ''), description };
  };

  /** A part of a path is never empty: an id without an example is one that no record has. */
  const partOf = (parameter) => {
    const { value, ...part } = described(parameter);
    return { ...part, value: value || (parameter.schema.format === 'uuid' ? noUuid : '1') };
  };

  const itemOf = (path, method, operation) => {
    const parameters = (operation.parameters ?? []).map(resolve);
    const isIn = (place) => parameters.filter(({ in: where }) => where === place);
    const variable = isIn('path')
      .filter(({ name }) => name !== 'project_id')
      .map(partOf);
    const query = isIn('query').map((parameter) => ({ ...described(parameter), disabled: !parameter.required }));
    const parts = path
      .slice(1)
      .split('/')
      .map((part) => part.replace('{project_id}', '{{project_id}}').replace(/^\{(\w+)\}$/, ':$1'));
    const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
    const content = Object.entries(operation.requestBody?.content ?? {})[0];
    const headers = isIn('header').map((parameter) => ({ ...described(parameter), disabled: true }));
    return {
      name: operation.summary ?? operation.operationId,
      request: {
        method: method.toUpperCase(),
        description: operation.description ?? '',
        header: [...(content ? [{ key: 'Content-Type', value: content[0] }] : []), ...headers],
        ...(operation.security.length > 0 ? {} : { auth: { type: 'noauth' } }),
        url: {
          raw: `{{baseUrl}}/${parts.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
          host: ['{{baseUrl}}'],
          path: parts,
          query,
          variable,
        },
        ...(content ? { body: bodyOf(content) } : {}),
      },
    };
  };

  /** False for what only a signed-in browser may do. */
  const isOpen = ({ security }) => security.length === 0 || security.some((way) => 'personalApiKey' in way);

  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => isOpen(operation))
      .map(([method, operation]) => ({ tag: operation.tags?.[0], item: itemOf(path, method, operation) })),
  );
  const { title, description, version } = document.info;
  return {
    info: { name: title, description, version, schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000', description: 'The address of the service.' },
      { key: 'key', value: '', description: 'A personal API key, phx_…' },
      {
        key: 'project_id',
        value: '@current',
        description: 'The id of a project; @current where the key opens one only.',
      },
    ],
    item: document.tags.map(({ name, description: about }) => ({
      name,
      description: about,
      item: operations.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
};
