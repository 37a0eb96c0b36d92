import { TextDecoder } from 'node:util';
import { CsvFault } from './csv-fault.js';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Spreadsheets begin a file in UTF-16 with a byte order mark; every other file is UTF-8. */
const encodingOf = ([first, second]: Uint8Array): Encoding => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};

/** How the files of spreadsheet programs begin: a zip archive, or the older container of Office. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const isWorkbook = (begin: Uint8Array): boolean =>
  workbooks.some((magic) => magic.every((byte, at) => begin[at] === byte));

/** Decodes a file in UTF-8 or UTF-16, with or without a byte order mark, piece by piece. */
export const decodeText = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let begin: Uint8Array = new Uint8Array();
  const decode = (piece?: Uint8Array): string => {
    if (!decoder && isWorkbook(begin)) {
      throw new CsvFault('the file is a spreadsheet or an archive: save it as "CSV UTF-8" in the spreadsheet program');
    }
    decoder ??= new TextDecoder(encodingOf(begin), { fatal: true });
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      const encoding = decoder.encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
      throw new CsvFault(`the file is not ${encoding}: save it as "CSV UTF-8"`);
    }
  };
  for await (const chunk of bytes) {
    if (decoder) {
      yield decode(chunk);
      continue;
    }
    // The first chunk may be a single byte, which shows neither a byte order mark nor a workbook.
    begin = Buffer.concat([begin, chunk]);
    if (begin.length >= 4) yield decode(begin);
  }
  yield (decoder ? '' : decode(begin)) + decode();
};
