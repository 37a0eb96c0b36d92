import { encoded, type Draft } from '../draft.js';
import { boundaryText, deepValue, hostileText, otherValue } from '../hostile.js';
import { type Parameter } from '../operations.js';
import { type Random } from '../random.js';
import { type Fault } from './fault.js';

const brokenEncodings = ['%zz', '%', '%f', '%ff', '%c3%28', '%00', '%u0041', '%ED%A0%80', '+', '%2B', '%26', ';'];

const place = (draft: Draft, name: string, value: string): void => {
  const at = draft.query.findIndex(([known]) => known === name);
  if (at < 0) draft.query.push([name, value]);
  else draft.query[at] = [name, value];
};

const inQuery = (draft: Draft): Parameter[] => draft.operation.parameters.filter((known) => known.in === 'query');

const onParameter =
  (value: (random: Random, parameter: Parameter) => string): Fault['apply'] =>
  (draft, random) => {
    const parameters = inQuery(draft);
    if (parameters.length === 0) return false;
    const parameter = random.pick(parameters);
    place(draft, parameter.name, value(random, parameter));
    return true;
  };

const numeric = (parameter: Parameter): boolean => ['integer', 'number'].includes(String(parameter.schema.type));

export const queryFaults: readonly (readonly [weight: number, Fault])[] = [
  [10, { name: 'hostile text in the query', apply: onParameter((random) => encoded(hostileText(random))) }],
  [
    8,
    {
      name: 'boundary number in the query',
      apply: (draft, random) => {
        const numbers = inQuery(draft).filter(numeric);
        if (numbers.length === 0) return false;
        const { name, schema } = random.pick(numbers);
        place(draft, name, encoded(boundaryText(random, schema)));
        return true;
      },
    },
  ],
  [4, { name: 'other JSON in the query', apply: onParameter((random) => encoded(JSON.stringify(otherValue(random)))) }],
  [2, { name: 'deep JSON in the query', apply: onParameter((random) => encoded(JSON.stringify(deepValue(random)))) }],
  [
    2,
    {
      name: 'broken JSON in the query',
      apply: onParameter((random) => encoded(random.pick(['{', '[1,', '"', '{"a":1,"a":2}', '[1e999]', '\u0000']))),
    },
  ],
  [3, { name: 'broken encoding in the query', apply: onParameter((random) => random.pick(brokenEncodings)) }],
  [
    1,
    {
      name: 'long text in the query',
      apply: onParameter((random) => random.pick(['x', '9', '_', '%25']).repeat(random.pick([1000, 3000]))),
    },
  ],
  [2, { name: 'empty parameter', apply: onParameter(() => '') }],
  [
    3,
    {
      name: 'parameter twice',
      apply: (draft, random) => {
        const again = draft.query.length > 0 ? random.pick(draft.query) : null;
        if (!again) return false;
        draft.query.push([again[0], random.chance(0.5) ? again[1] : encoded(hostileText(random))]);
        return true;
      },
    },
  ],
  [
    2,
    {
      name: 'parameter as an object',
      apply: (draft, random) => {
        const parameters = inQuery(draft);
        if (parameters.length === 0) return false;
        const { name } = random.pick(parameters);
        draft.query.push([`${name}${random.pick(['[]', '[0]', '[a]', '[__proto__]', '[a][b][c]', '.a', '%00'])}`, '1']);
        return true;
      },
    },
  ],
  [
    2,
    {
      name: 'unknown parameter',
      apply: (draft, random) => {
        draft.query.push([random.pick(['__proto__', 'constructor', 'unknown', 'LIMIT', '%zz', '', '$where']), '1']);
        return true;
      },
    },
  ],
];
