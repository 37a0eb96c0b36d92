import { type OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../support/browser.js';
import { visitor, type Visitor } from '../support/console.js';
import { freshStores } from '../support/fresh-stores.js';
import { importLines, personLine } from '../support/import.js';
import { bootstrapFile, start, terminate } from '../support/process.js';
import { serviceHandle, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { signedIn, type Browser as SignedIn } from '../support/signed-in.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';
import { Hands } from './walk/hands.js';
import { wideTables } from './wide-tables.js';

/** A service in a process of its own, which may call receivers on this machine. */
export const serviceWithReceivers = async (): Promise<ServiceHandle> => {
  const stores = await freshStores();
  const running = await start({ ...stores.env, LOG_LEVEL: 'error', WEBHOOK_ALLOW_PRIVATE: '1' });
  const { personal_api_key: text } = await bootstrapFile(stores.env.DATA_DIR ?? '');
  const read = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/json' };
    const answer = await fetch(running.url + path, { headers, ...init });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return serviceHandle({
    url: running.url,
    databaseUrl: stores.databaseUrl,
    email: 'demo@kohort.local',
    document: await read<OpenAPIObject>('/openapi.json'),
    newKey: () => Promise.resolve({ text, id: '' }),
    newProject: (name) => read('/api/projects', { method: 'POST', body: JSON.stringify({ name }) }),
    stop: async () => {
      await terminate(running);
      await stores.remove();
    },
  });
};

export const hostileName = '<img src=x onerror="window.__hostile=1">';

/** A project whose cohorts have a past: what was done is moved back by whole days. */
export class ActingScene extends WebhooksOf {
  private constructor(
    private readonly running: ServiceHandle,
    projectId: number,
  ) {
    super(running, projectId);
  }

  static async open(service: ServiceHandle): Promise<ActingScene> {
    const { id } = await service.newProject('Shop');
    const names = ['ada', 'bob', 'cy', 'dan', 'eve'];
    const lines = names.map((name) => personLine(name, { name, plan: 'pro' }));
    await importLines(service, id, [...lines, personLine('evil', { name: hostileName })]);
    return new ActingScene(service, id);
  }

  async days(cohort: number, passed: number): Promise<void> {
    const values = [this.projectId, cohort, passed];
    const { pool } = this.running;
    await pool.query(
      `UPDATE cohort_changes SET at = at - make_interval(days => $3) WHERE project_id = $1 AND cohort_id = $2`,
      values,
    );
    await pool.query(
      `UPDATE cohorts SET changes_from = changes_from - make_interval(days => $3), created_at = created_at - make_interval(days => $3)
       WHERE project_id = $1 AND id = $2`,
      values,
    );
  }

  /** Three members from the beginning, two more after thirty days, one fewer after a week; today one came and one went. */
  async buyers(name = 'Buyers'): Promise<number> {
    const { id } = await this.create({ name, is_static: true, distinct_ids: ['ada', 'bob', 'cy'] });
    await this.days(id, 30);
    await this.add(id, 'dan', 'evil');
    await this.days(id, 7);
    await this.remove(id, 'bob');
    await this.days(id, 3);
    await this.add(id, 'eve');
    await this.remove(id, 'cy');
    return id;
  }
}

export interface Acting {
  readonly service: ServiceHandle;
  readonly scene: ActingScene;
  readonly hands: Hands;
  readonly visitor: Visitor;
  stop(): Promise<void>;
}

/** The scene with a signed-in person before it. */
export const openActing = async (opened = sharedService()): Promise<Acting> => {
  const browser = await openBrowser();
  const service = await opened;
  const scene = await ActingScene.open(service);
  const who = await visitor(browser);
  await signIn(who, service, await signedIn(service, { isOwner: true }));
  const { url } = service;
  await who.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const hands = new Hands(who.page, `${url}/p/${scene.projectId}`, async <T>(path: string) => {
    const { status, body, text } = await scene.call('GET', path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return body as T;
  });
  const stop = async () => {
    await browser.close();
    await service.stop();
  };
  return { service, scene, hands, visitor: who, stop };
};

export const signIn = async ({ context }: Visitor, { url }: ServiceHandle, { cookie }: SignedIn): Promise<void> => {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
};

interface Checked {
  readonly __hostile?: unknown;
  readonly document: { readonly documentElement: { readonly scrollWidth: number } };
  readonly axe: {
    run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
  };
}

const axe = readFileSync(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');

/** Lists faults of a page: barriers, a width beyond the screen, a table beyond it, a text that ran. */
export const faultsOf = async ({ page }: Hands): Promise<string[]> => {
  // Texts that fade in have less contrast for a moment.
  await page.waitForTimeout(400);
  await page.evaluate(axe);
  const { barriers, width, ran } = await page.evaluate(async () => {
    const { axe: checker, document, __hostile } = globalThis as unknown as Checked;
    const { violations } = await checker.run({ resultTypes: ['violations'] });
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const barriers = grave.map(({ id, nodes }) => `${id} ${nodes[0]?.html.slice(0, 200)}`);
    return { barriers, width: document.documentElement.scrollWidth, ran: __hostile !== undefined };
  });
  const wide = width > (page.viewportSize()?.width ?? 0) ? [`${width} wide`] : [];
  const tables = await wideTables(page);
  // Axe takes a text in the colour of its ground for hidden on purpose.
  const unseen = await page.evaluate<string[]>(`[...document.querySelectorAll('button')]
    .filter((button) => button.innerText.trim() !== '' && getComputedStyle(button).color === getComputedStyle(button).backgroundColor)
    .map((button) => 'unseen: ' + button.innerText)`);
  return [...barriers, ...wide, ...tables, ...unseen, ...(ran ? ['a text ran'] : [])].map(
    (fault) => `${page.url()}: ${fault}`,
  );
};

/** In both schemes, on a wide screen and on a phone. */
export const inEveryForm = async ({ page }: Hands, look: () => Promise<void>): Promise<void> => {
  for (const width of [1280, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 850 });
      await page.emulateMedia({ colorScheme });
      await look();
    }
  await page.setViewportSize({ width: 1280, height: 900 });
};
