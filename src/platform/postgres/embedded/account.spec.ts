import { describe, expect, it } from '@jest/globals';
import { accountFromPasswd } from './account.js';

describe('the account root lends to PostgreSQL', () => {
  it.each([
    [
      'postgres where there is one',
      'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:\npostgres:x:101:104::/:',
      101,
      104,
    ],
    ['nobody otherwise', 'root:x:0:0::/:/bin/sh\nnobody:x:99:98::/:', 99, 98],
    ['never root under another name', 'postgres:x:0:0::/:', 65534, 65534],
    ['the usual number of nobody when the file is empty', '', 65534, 65534],
  ])('is %s', (_, passwd, uid, gid) => {
    expect(accountFromPasswd(passwd)).toEqual({ uid, gid });
  });
});
