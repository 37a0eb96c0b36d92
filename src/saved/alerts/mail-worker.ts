import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { countedRun } from '../../platform/telemetry/background-runs.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { type Worker } from '../../platform/work/worker.js';
import { Workers } from '../../platform/work/workers.js';
import { type DueMail, nextMail, postponeMail, removeMail } from './alert-mails.js';
import { mailOfAlert } from './mail-text.js';

/** A mail that no server has taken for this long is given up. */
export const mailPatienceDays = 3;
const patienceMs = mailPatienceDays * 24 * 3_600_000;

/**
 * Sends the mails of alerts, one after the other, and under one lease, so that the server has one connection of the whole
 * installation. While it takes none, it is called ever more rarely.
 */
@Injectable()
export class MailWorker {
  readonly worker: Worker;
  private readonly sole: boolean;

  constructor(
    workers: Workers,
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly mailer: Mailer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sole = config.databaseUrl === null;
    this.worker = workers.add({
      name: 'mails of alerts',
      warning: 'e-mails cannot be sent at the moment; they wait',
      retryMs: [5_000, 300_000],
      round: () => this.round(this.worker.stopping),
    });
  }

  async round(stopping: AbortSignal): Promise<null> {
    const { postgres, sole } = this;
    if (await nextMail(postgres, postgres.clock.now())) {
      const lease = new Lease(postgres, 'alert-mails', { sole });
      await lease.during(() => countedRun('mails', () => this.sendDue(lease, stopping)));
    }
    return null;
  }

  private async sendDue(lease: Lease, stopping: AbortSignal): Promise<void> {
    const { postgres } = this;
    for (let mail: DueMail | null; (mail = await nextMail(postgres, postgres.clock.now()));) {
      stopping.throwIfAborted();
      lease.check();
      await this.send(mail, lease, stopping);
    }
  }

  private async send(mail: DueMail, lease: Lease, stopping: AbortSignal): Promise<void> {
    const { postgres, mailer, config } = this;
    const now = postgres.clock.now();
    if (mail.content === null) return removeMail(postgres, lease, mail);
    if (now.getTime() - mail.created_at.getTime() > patienceMs) return this.giveUp(mail, lease, 'no server took it');
    const written = mailOfAlert(mail.project_id, mail.content, config.publicOrigin);
    const sent = { id: mail.id, to: mail.content.email, at: mail.created_at, ...written };
    const outcome = await mailer.send(sent, stopping);
    if (outcome === 'accepted') return removeMail(postgres, lease, mail);
    if (outcome === 'refused') return this.giveUp(mail, lease, 'the server does not know its address');
    return postponeMail(postgres, lease, mail, postgres.clock.now());
  }

  private async giveUp(mail: DueMail, lease: Lease, why: string): Promise<void> {
    await removeMail(this.postgres, lease, mail);
    this.logger.warn({ project: mail.project_id, mail: mail.id, why }, 'an e-mail of an alert was given up');
  }
}
