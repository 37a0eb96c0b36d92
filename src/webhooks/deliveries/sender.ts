import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { serviceVersion } from '../../platform/config/version.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { credentialHeaders, type Credentials } from '../destinations/destination.js';
import { publicNames, type Resolve, systemNames } from '../../platform/http/resolve.js';
import { type Sent, send } from '../sending/send.js';
import { signedHeaders } from '../sending/signature.js';

export interface Receiver {
  readonly url: string;
  readonly secret: string;
  readonly credentials: Credentials | null;
  /** Is added to the path of the address. */
  readonly path?: string;
}

const withPath = (address: string, path: string): string => {
  const url = new URL(address);
  if (path !== '') url.pathname = url.pathname.replace(/\/$/, '') + path;
  return url.href;
};

/** Signs messages and sends them to their receivers. */
@Injectable()
export class Sender {
  /** Tests set a shorter `timeoutMs` and another `resolve`. */
  timeoutMs = 10_000;
  resolve: Resolve;
  private readonly allowPrivate: boolean;
  private readonly userAgent = `Kohort/${serviceVersion()}`;

  constructor(
    private readonly postgres: Postgres,
    { webhookAllowPrivate }: Config,
    private readonly metrics: Metrics,
  ) {
    this.allowPrivate = webhookAllowPrivate;
    this.resolve = webhookAllowPrivate ? systemNames : publicNames;
  }

  async send(receiver: Receiver, id: string, body: string, signal?: AbortSignal): Promise<Sent> {
    const { secret, credentials, path = '' } = receiver;
    const url = withPath(receiver.url, path);
    const headers = {
      ...credentialHeaders(credentials),
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': this.userAgent,
      ...signedHeaders(secret, id, this.postgres.clock.now(), body),
    };
    const { timeoutMs, resolve, allowPrivate } = this;
    const sent = await send({ url, headers, body }, { timeoutMs, resolve, allowPrivate, signal });
    this.metrics.webhookMessages.inc({
      outcome: sent.error === null ? 'accepted' : sent.status === null ? 'unanswered' : 'refused',
    });
    return sent;
  }
}
