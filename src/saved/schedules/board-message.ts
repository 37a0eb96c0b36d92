import { type Mail } from '../../platform/mail/mailer.js';
import { escapedHtml } from '../../platform/values/html.js';
import { inOneLine, momentInZone } from '../alerts/mail-text.js';
import { type TileNumber } from './tile-numbers.js';

interface MessageTile {
  readonly name: string;
  /** None: its answer is a list, or there is no answer. */
  readonly numbers: readonly TileNumber[];
}

/** The numbers of a dashboard at a due moment. Has names and numbers, and no data of persons. */
export interface BoardMessage {
  readonly due_at: string;
  readonly name: string;
  readonly tiles: readonly MessageTile[];
}

interface Around {
  readonly project: string;
  readonly timezone: string;
  /** Null without PUBLIC_URL. */
  readonly link: string | null;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

const valueOf = ({ value, unit }: TileNumber): string => {
  if (unit === 'percent') return `${tenths.format(value)}%`;
  return unit === 'seconds' ? `${tenths.format(value)} s` : whole.format(value);
};

const changeOf = ({ value, before }: TileNumber): string => {
  if (before === null) return '';
  if (before === 0) return value === 0 ? 'as before' : 'was 0';
  const share = (100 * (value - before)) / Math.abs(before);
  return `${share > 0 ? '+' : ''}${tenths.format(share)}%`;
};

interface Row {
  readonly label: string;
  readonly value: string;
  readonly change: string;
}

const noNumbers: Row = { label: 'No single number: see the dashboard', value: '', change: '' };

const rowsOf = ({ numbers }: MessageTile): Row[] =>
  numbers.length === 0
    ? [noNumbers]
    : numbers.map((number) => ({
        ...{ label: inOneLine(number.label), value: valueOf(number), change: changeOf(number) },
      }));

const titleOf = ({ name }: MessageTile): string => inOneLine(name) || 'Untitled';

const asText = (tile: MessageTile): string[] => [
  titleOf(tile),
  ...rowsOf(tile).map(({ label, value, change }) => {
    const shown = value === '' ? '' : `: ${value}`;
    return `  ${label}${shown}${change === '' ? '' : ` (${change})`}`;
  }),
  '',
];

const cell = (text: string, style: string): string =>
  `<td style="padding:4px 8px;border-top:1px solid #ddd;${style}">${escapedHtml(text)}</td>`;

const asHtml = (tile: MessageTile): string =>
  `<tr><th colspan="3" style="padding:16px 8px 4px;text-align:left">${escapedHtml(titleOf(tile))}</th></tr>` +
  rowsOf(tile)
    .map(
      ({ label, value, change }) =>
        `<tr>${cell(label, '')}${cell(value, 'text-align:right;font-weight:bold')}${cell(change, 'text-align:right')}</tr>`,
    )
    .join('');

/** A message as a mail, in plain text and as HTML. */
export const mailOfBoard = (
  { name, due_at, tiles }: BoardMessage,
  { project, timezone, link }: Around,
): Pick<Mail, 'subject' | 'text' | 'html'> => {
  const title = inOneLine(name) || 'Dashboard';
  const of = `${inOneLine(project)}, ${momentInZone(due_at, timezone)}`;
  const why = 'You get this mail because someone scheduled this dashboard for your address.';
  const text = [
    ...[title, of, ''],
    ...tiles.flatMap(asText),
    ...(link === null ? [] : [`See it: ${link}`, '']),
    ...[why, ''],
  ].join('\n');
  const see = link === null ? '' : `<p><a href="${escapedHtml(link)}">Open the dashboard</a></p>`;
  const html =
    `<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:14px;color:#1a1a1a">` +
    `<h1 style="font-size:20px;margin:0">${escapedHtml(title)}</h1><p style="color:#555;margin:4px 0">${escapedHtml(of)}</p>` +
    `<table style="border-collapse:collapse;min-width:320px">${tiles.map(asHtml).join('')}</table>${see}` +
    `<p style="color:#555">${why}</p></body></html>`;
  return { subject: title, text, html };
};
