import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Page } from 'playwright-core';
import { closeBrowser, hasBrowser, openPage } from '../support/browser.js';
import { fileOf, runGuide, stepsOf, type GuideRun, type Step } from '../support/guides.js';
import { freePort } from '../support/process.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { startTestService } from '../support/service.js';
import { sharedService } from '../support/shared-service.js';
import { differenceFrom } from '../support/snippets.js';

const folder = 'docs/guides';
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** Told to programs, which have a key but not the folder of the repository. */
const skill = '../skill/SKILL.md';

/** The guide about operating starts a service of its own; the others use one that runs. */
const ownService = 'operating.md';

const run = async (name: string): Promise<GuideRun> => {
  const steps = stepsOf(textOf(name));
  if (['alerts.md', 'destinations.md', 'webhooks.md'].includes(name)) return runWithReceiver(steps);
  if (name === skill) {
    const { id } = await service.newProject('Skill');
    const env = { KOHORT_URL: service.url, KOHORT_KEY: service.key, KOHORT_PROJECT: String(id) };
    return runGuide(steps, null, env);
  }
  if (name !== ownService) return runGuide(steps, { personal_api_key: service.key }, { URL: service.url });
  const port = String(await freePort());
  return runGuide(steps, null, { URL: `http://localhost:${port}`, PORT: port, PROJECTION_WAIT_MS: '60000' });
};

/** The receiver is on this machine, which a service may call only with this setting. */
const runWithReceiver = async (steps: readonly Step[]): Promise<GuideRun> => {
  const open = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
  try {
    const env = { URL: open.url, RECEIVER_PORT: String(await freePort()), BUCKET_PORT: String(await freePort()) };
    return await runGuide(steps, { personal_api_key: open.key }, env);
  } finally {
    await open.stop();
  }
};

const isCapture = (url: string): boolean => /\/(e|i\/v0\/e|batch|capture)\/?(\?|$)/.test(url);

/** A headless browser is a robot to the SDK, which then stays silent. */
const asAPerson = `
  Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' });
  Object.defineProperty(navigator, 'userAgentData', { get: () => undefined });
  Object.defineProperty(navigator, 'webdriver', { get: () => false });`;

/** Opens a page beside the files of posthog-js, and returns the answer to the first events that it sends. */
const statusOfCapture = async (page: Page, html: string): Promise<number> => {
  // A server, because browsers let only pages of this machine talk to this machine.
  const site = createServer((request, response) => {
    const file = join('node_modules/posthog-js/dist', request.url ?? '/');
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end(html);
    else if (existsSync(file)) response.setHeader('Content-Type', 'text/javascript').end(readFileSync(file));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  try {
    await page.addInitScript(asAPerson);
    const captured = page.waitForResponse((answer) => answer.request().method() === 'POST' && isCapture(answer.url()));
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    return (await captured).status();
  } finally {
    site.close();
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

describe.each([...guides, skill])('docs/guides/%s', (name) => {
  const steps = stepsOf(textOf(name));
  let outcome: GuideRun;

  beforeAll(async () => {
    outcome = await run(name);
  });
  afterAll(() => outcome.remove());

  it('runs from top to bottom', () => {
    expect(outcome.fault).toBeNull();
  });

  const pages = steps.filter(({ language }) => language === 'html');
  if (pages.length > 0) {
    (hasBrowser() ? it : it.skip).each(pages)('has a page at line $line that sends events', async (step) => {
      const page = await openPage();
      try {
        expect(await statusOfCapture(page, await outcome.file(fileOf(step)))).toBe(200);
      } finally {
        await closeBrowser(page);
      }
    });
  }

  const shown = steps.filter((step) => step.shown !== null);
  if (shown.length > 0) {
    it.each(shown)('gets the answer shown below line $line', async (step) => {
      const printed = await outcome.printed(step);
      if (step.shown?.language === 'text') expect(printed.trim()).toBe(step.shown.text.trim());
      else expect(differenceFrom(parsed(step.shown?.text ?? ''), parsed(printed))).toBeNull();
    });
  }
});

describe('docs/guides/setup.sh', () => {
  const sourced = (env: Readonly<Record<string, string>>, cwd = tmpdir()) =>
    promisify(execFile)('bash', ['--norc', '-c', `. ${resolve('docs/guides/setup.sh')} && echo "$API"`], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
    }).catch((error: { code: number; stdout: string; stderr: string }) => error);

  it('makes a project of the service that URL or PORT and KEY or DATA_DIR name', async () => {
    const { stdout, stderr } = await sourced({ PORT: new URL(service.url).port, KEY: service.key });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+\/api\/projects\/\d+\n$/), '']);
    const folder = await mkdtemp(join(tmpdir(), 'kohort-setup-'));
    await writeFile(join(folder, 'bootstrap.json'), JSON.stringify({ personal_api_key: service.key }));
    expect((await sourced({ URL: `${service.url}/`, DATA_DIR: folder })).stdout).toMatch(/\/api\/projects\/\d+\n$/);
    await writeFile(join(folder, '.env'), `# the service\nPORT=${new URL(service.url).port}\nDATA_DIR="${folder}"\n`);
    expect(await sourced({}, folder)).toEqual({ stdout: expect.stringMatching(/\/api\/projects\/\d+\n$/), stderr: '' });
    expect(await sourced({ PORT: '1' }, folder)).toMatchObject({ stderr: expect.stringContaining('localhost:1:') });
    await rm(folder, { recursive: true });
  });

  it.each([
    ['no key', {}, /^There is no data\/bootstrap.json to take an API key from: set KEY [^\n]+\n$/],
    [
      'no service',
      { KEY: 'phx_x', URL: 'http://localhost:1' },
      /^No service answers on http:\/\/localhost:1: [^\n]+\n$/,
    ],
  ])('says in one sentence that there is %s', async (_what, env, says) => {
    expect(await sourced(env)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('says in one sentence that the key is wrong', async () => {
    const { stdout, stderr } = await sourced({ URL: service.url, KEY: 'phx_wrong' });
    expect([stdout, stderr]).toEqual([
      '',
      expect.stringMatching(/^http\S+ makes no project .*API key is not valid[^\n]+\n$/),
    ]);
  });
});

describe('the guides', () => {
  it.each(guides)('%s links to files that exist', (name) => {
    const targets = [...textOf(name).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });

  it('are all named in the README and in the OpenAPI document', async () => {
    const { info } = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    const readme = readFileSync('README.md', 'utf8');
    expect(guides.filter((name) => !readme.includes(`docs/guides/${name}`))).toEqual([]);
    expect(guides.filter((name) => !info.description?.includes(`](/docs/guides/${name})`))).toEqual([]);
  });
});
