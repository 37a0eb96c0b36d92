import { type OpenAPIObject } from '@nestjs/swagger';
import { freshStores } from '../support/fresh-stores.js';
import { importLines, personLine } from '../support/import.js';
import { bootstrapFile, start, terminate } from '../support/process.js';
import { serviceHandle, type ServiceHandle } from '../support/service-handle.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

/** A service in a process of its own, which serves the console and may call receivers on this machine. */
export const actingService = async (): Promise<ServiceHandle> => {
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
    private readonly service: ServiceHandle,
    projectId: number,
  ) {
    super(service, projectId);
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
    const { pool } = this.service;
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
