import { DateTime } from 'luxon';
import { noticeLink } from '../../kernel/notices/notice-link.js';
import { type Mail } from '../../platform/mail/mailer.js';
import { type MailContent } from './alert-mails.js';

/** The content of the notice of an alert. One that ended without a number has a reason only. */
interface AlertNotice {
  readonly alert: { readonly id: number; readonly name: string };
  readonly insight_id: number;
  readonly interval?: { readonly start: string; readonly end: string };
  readonly value?: number;
  readonly compared?: number | null;
  readonly lower?: number | null;
  readonly upper?: number | null;
  readonly reason?: string;
}

const reasons: Readonly<Record<string, string>> = {
  changed: 'the alert was changed',
  disabled: 'the alert was disabled',
  snoozed: 'the alert was snoozed',
  deleted: 'the alert was deleted',
  insight_deleted: 'its saved question was deleted',
};

/** A name may have any characters: in a mail it has one line. */
export const inOneLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();

const boundsOf = ({ lower = null, upper = null }: AlertNotice): string =>
  [lower === null ? '' : `at least ${lower}`, upper === null ? '' : `at most ${upper}`].filter(Boolean).join(', ');

export const momentInZone = (iso: string, zone: string): string =>
  `${DateTime.fromISO(iso, { zone }).toFormat('yyyy-MM-dd HH:mm')} (${zone})`;

const numbersOf = (notice: AlertNotice, zone: string): string[] => {
  const { interval, value, compared = null, reason } = notice;
  if (!interval || value === undefined) return [`Why: ${reasons[reason ?? ''] ?? 'the alert no longer watches it'}`];
  return [
    `Number: ${value}`,
    ...(compared === value ? [] : [`Change: ${compared ?? 'infinite, from 0'}`]),
    `Expected: ${boundsOf(notice)}`,
    `From: ${momentInZone(interval.start, zone)}`,
    `To: ${momentInZone(interval.end, zone)}`,
  ];
};

/** Has ids, names and numbers, and no data of persons. */
export const mailOfAlert = (
  projectId: number,
  { project, timezone, type, data }: MailContent,
  origin: string | null,
): Pick<Mail, 'subject' | 'text'> => {
  const notice = data as unknown as AlertNotice;
  const name = inOneLine(notice.alert.name) || `Alert ${notice.alert.id}`;
  const link = noticeLink(origin, projectId, data);
  const isFired = type === 'alert.fired';
  const lines = [
    isFired ? `"${name}" has left its range.` : `The breach of "${name}" has ended.`,
    '',
    ...numbersOf(notice, timezone),
    '',
    `Project: ${inOneLine(project)} (${projectId}), saved question ${notice.insight_id}`,
    ...(link === null ? [] : [`See it: ${link}`]),
    '',
    `You get this mail because subscribed_users of alert ${notice.alert.id} has you.`,
    '',
  ];
  return { subject: `${isFired ? 'Fired' : 'Ended'}: ${name}`, text: lines.join('\n') };
};
