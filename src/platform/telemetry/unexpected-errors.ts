import { Counter, type Registry } from 'prom-client';

export const unexpectedErrorKinds = ['unhandled_rejection', 'uncaught_exception', 'background_loop'] as const;

export type UnexpectedErrorKind = (typeof unexpectedErrorKinds)[number];

/** Counted per process and not per service, because an uncaught exception restarts the service. */
const totals = new Map<UnexpectedErrorKind, number>(unexpectedErrorKinds.map((kind) => [kind, 0]));

export const countUnexpectedError = (kind: UnexpectedErrorKind): void => {
  totals.set(kind, (totals.get(kind) ?? 0) + 1);
};

export const registerUnexpectedErrors = (registry: Registry): void => {
  const counter: Counter<'kind'> = new Counter({
    name: 'kohort_unexpected_errors_total',
    help: 'Uncaught errors, and background loops that had to be restarted. Each is a defect to report',
    labelNames: ['kind'] as const,
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [kind, total] of totals) counter.inc({ kind }, total);
    },
  });
};
