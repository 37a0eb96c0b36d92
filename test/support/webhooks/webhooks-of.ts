import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortChangesDto } from '../../../src/cohorts/changes/changes.dto.js';
import { type DeliveryDto } from '../../../src/webhooks/deliveries/delivery.dto.js';
import { type WebhookDto } from '../../../src/webhooks/webhook.dto.js';
import { CohortsOf } from '../cohorts/cohorts-of.js';
import { importLines, personLine } from '../import.js';
import { type ServiceHandle } from '../service-handle.js';

/** A project with persons, static cohorts and webhooks, seen through the HTTP interface. */
export class WebhooksOf extends CohortsOf {
  constructor(
    private readonly handle: ServiceHandle,
    projectId: number,
  ) {
    super(handle, projectId);
  }

  async withPersons(count: number): Promise<this> {
    const lines = Array.from({ length: count }, (_, n) => personLine(`p${n}`, { n }));
    await importLines(this.handle, this.projectId, lines);
    return this;
  }

  async list(name = 'List'): Promise<number> {
    return (await this.create({ name, is_static: true, distinct_ids: [] })).id;
  }

  async add(cohort: number, ...distinctIds: string[]): Promise<void> {
    const body = { distinct_ids: distinctIds };
    const answer = await this.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body });
    if (answer.status !== 200) throw new Error(answer.text);
  }

  async remove(cohort: number, distinctId: string): Promise<void> {
    const { body } = await this.call('GET', 'persons', { query: { distinct_id: distinctId } });
    const [person] = (body as { results: { id: number }[] }).results;
    const removed = { body: { person_id: person?.id } };
    const answer = await this.call('PATCH', `cohorts/${cohort}/remove_person_from_static_cohort`, removed);
    if (answer.status !== 200) throw new Error(answer.text);
  }

  async webhook(body: object): Promise<WebhookDto> {
    const answer = await this.call('POST', 'webhooks', { body });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body as WebhookDto;
  }

  async shown(id: number): Promise<WebhookDto> {
    return (await this.call('GET', `webhooks/${id}`)).body as WebhookDto;
  }

  async deliveries(id: number, query: Record<string, string | number> = {}): Promise<DeliveryDto[]> {
    const { body } = await this.call('GET', `webhooks/${id}/deliveries`, { query });
    return (body as { results: DeliveryDto[] }).results;
  }

  /** Waits until the log is as `isRight` says, and returns it. */
  async untilLog(id: number, isRight: (log: readonly DeliveryDto[]) => boolean): Promise<DeliveryDto[]> {
    const end = Date.now() + 15_000;
    for (;;) {
      const log = await this.deliveries(id);
      if (isRight(log)) return log;
      if (Date.now() > end) throw new Error(JSON.stringify(log));
      await sleep(20);
    }
  }

  async feed(cohort: number, after: string): Promise<CohortChangesDto> {
    const { body } = await this.call('GET', `cohorts/${cohort}/changes`, { query: { after, limit: 10_000 } });
    return body as CohortChangesDto;
  }

  /** Makes what failed due at once, as if its delay was over. */
  async hurry(set = ''): Promise<void> {
    await this.handle.pool.query(
      `UPDATE webhook_positions SET next_attempt_at = now() ${set} WHERE project_id = $1 AND next_attempt_at IS NOT NULL`,
      [this.projectId],
    );
  }
}
