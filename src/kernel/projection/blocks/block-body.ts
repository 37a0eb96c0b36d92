import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

/** An event in a block: its properties as JSON text, without line breaks. */
export interface BlockEvent {
  readonly uuid: string;
  readonly properties: string;
}

const uuidCharacters = 36;
/** Separates the events of a block: JSON escapes line breaks in text. */
const lineBreak = '\n';

const [compress, expand] = [promisify(deflate), promisify(inflate)];

/** One line for each event: its uuid, then its properties. Compressing does not hold up the event loop. */
export const toBody = (events: readonly BlockEvent[]): Promise<Buffer> =>
  compress(events.map(({ uuid, properties }) => uuid + properties).join(lineBreak));

export const fromBody = async (body: Buffer): Promise<BlockEvent[]> => {
  const text = (await expand(body)).toString('utf8');
  return text
    .split(lineBreak)
    .map((line) => ({ uuid: line.slice(0, uuidCharacters), properties: line.slice(uuidCharacters) }));
};
