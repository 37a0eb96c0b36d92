import { textsOf, type Params } from '../../../insights/question/params';

/** One argument of a shell: nothing in it is read by the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same question from a terminal. The key stays out of the text. */
export const curlOf = (url: string, params: Params): string =>
  [
    `curl -G ${quoted(url)}`,
    '-H "Authorization: Bearer $KOHORT_API_KEY"',
    ...textsOf(params).map(([name, text]) => `--data-urlencode ${quoted(`${name}=${text}`)}`),
  ].join(' \\\n  ');
