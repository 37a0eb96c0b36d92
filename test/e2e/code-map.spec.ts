import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { Routes, type Route } from '../../src/kernel/access/routes.js';
import { startTestService, type TestService } from '../support/service.js';

const file = 'docs/code-map.md';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The file of each class of the sources. */
const filesOfClasses = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .flatMap((path) =>
      [...readFileSync(`src/${path}`, 'utf8').matchAll(/^export (?:abstract )?class (\w+)/gm)].map(
        ([, name = '']) => [name, path] as const,
      ),
    ),
);

const fileOf = (className: string): string => `\`${filesOfClasses.get(className) ?? className}\``;

/** The last call of the handler: the services of a controller are the parameters of its constructor. */
const answering = ({ controller, handler }: Route): string => {
  const found = [...service.app.get(ModulesContainer).values()]
    .flatMap((module) => [...module.controllers.values()])
    .find(({ name }) => name === controller);
  const type = found?.metatype as (new (...services: never[]) => object) | undefined;
  const method = type && (type.prototype as Record<string, unknown>)[handler];
  if (!type || typeof method !== 'function') return '–';
  const names =
    /constructor\(([^)]*)\)/
      .exec(type.toString())?.[1]
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  const types = (Reflect.getMetadata('design:paramtypes', type) ?? []) as { readonly name: string }[];
  const used = [...method.toString().matchAll(/this\.(\w+)\.(\w+)\(/g)].at(-1);
  const answers = used && types[names.indexOf(used[1] ?? '')];
  return answers ? `\`${used[2]}\` of ${fileOf(answers.name)}` : '–';
};

const rowOf = (route: Route): string =>
  `| ${route.method} \`${route.path}\` | ${fileOf(route.controller)} | ${answering(route)} |`;

const current = async (): Promise<string> => {
  const routes = service.app
    .get(Routes)
    .all()
    .filter(({ refuses }) => !refuses)
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1));
  const text = [
    '# Code map',
    '',
    'Which file answers a route. Paths are below `src`. `npm run code-map` writes this page; a test fails',
    'when it is not current.',
    '',
    '| Route | Controller | Answered by |',
    '| --- | --- | --- |',
    ...routes.map(rowOf),
    '',
  ].join('\n');
  return (await format(file, text, JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig)).code;
};

describe('the table of routes in docs/code-map.md', () => {
  it('is current: npm run code-map writes it', async () => {
    const expected = await current();
    if (process.env.UPDATE_CODE_MAP === '1') writeFileSync(file, expected);
    expect(readFileSync(file, 'utf8')).toBe(expected);
  });
});
