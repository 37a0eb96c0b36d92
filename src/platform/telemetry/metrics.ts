import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, type Registry, collectDefaultMetrics } from 'prom-client';
import { SlicedRegistry } from './sliced-registry.js';
import { registerBackgroundRuns } from './background-runs.js';
import { registerEngineEnds } from './engine-ends.js';
import { registerEventLoopLag } from './event-loop-lag.js';
import { registerStatementSeconds } from './tracing.js';
import { serviceVersion } from '../config/version.js';
import { registerUnexpectedErrors } from './unexpected-errors.js';

/** The library samples the event loop this often, in place of which `registerEventLoopLag` does. */
const neverMs = 2 ** 31 - 1;

/**
 * The registry of `/metrics`, and metrics that are counted as things happen. Metrics that are read from a store for each scrape
 * are in `*-metrics.ts` of their modules. Each application has its own registry, so that tests can run several.
 */
@Injectable()
export class Metrics {
  readonly registry: Registry = new SlicedRegistry();

  readonly buildInfo = new Gauge({
    name: 'kohort_build_info',
    help: '1, with the version of the service',
    labelNames: ['version'] as const,
    registers: [this.registry],
  });

  readonly requestSeconds = new Histogram({
    name: 'kohort_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  readonly throttled = new Counter({
    name: 'kohort_throttled_requests_total',
    help: 'Requests refused with 429, by the limit that they exceeded',
    labelNames: ['limit'] as const,
    registers: [this.registry],
  });

  readonly passwordHashes = new Counter({
    name: 'kohort_password_hashes_total',
    help: 'Passwords that were hashed, to store them or to check a sign-in',
    registers: [this.registry],
  });

  readonly refusedConnections = new Counter({
    name: 'kohort_refused_connections_total',
    help: 'Connections closed when they were opened, by the limit that they exceeded',
    labelNames: ['limit'] as const,
    registers: [this.registry],
  });

  readonly webhookMessages = new Counter({
    name: 'kohort_webhook_messages_total',
    help: 'Messages that were sent to webhooks, by what became of them',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly mails = new Counter({
    name: 'kohort_mails_total',
    help: 'E-mails about alerts, by what the SMTP server made of them',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly unexplainedEngineErrors = new Counter({
    name: 'kohort_unexplained_engine_errors_total',
    help: 'Questions in SQL that the engine refused with an error for which the service has no message',
    labelNames: ['code', 'statement'] as const,
    registers: [this.registry],
  });

  constructor() {
    this.buildInfo.set({ version: serviceVersion() }, 1);
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: neverMs });
    registerEventLoopLag(this.registry);
    registerUnexpectedErrors(this.registry);
    registerEngineEnds(this.registry);
    registerBackgroundRuns(this.registry);
    registerStatementSeconds(this.registry);
  }
}
