import { decodeCursor, encodeCursor } from '../../../../src/platform/http/page.dto.js';
import { isKeysetPosition } from '../../../../src/platform/http/newest-first.js';
import { acceptedBy, assertEqual, type ParserTarget } from '../target.js';

/** A cursor is refused, or encodes to a text that decodes to the same. The input is the cursor, or what stands in one. */
const target: ParserTarget = {
  maxBytes: 512,
  words: ['["a","', '["b","', '","', '"]', 'WyJhIiwi', 'WyJiIiwi', '1709294400000000', '\\u0061', '\\ud800'],
  run: (input) => {
    for (const text of [input.toString('utf8'), input.toString('base64url')])
      for (const isKey of [isKeysetPosition, () => true]) {
        const cursor = acceptedBy(() => decodeCursor(text, isKey));
        if (cursor) assertEqual(decodeCursor(encodeCursor(cursor), isKey), cursor, 'a cursor comes back as it was');
      }
  },
};

export default target;
