import { readFile, stat } from 'node:fs/promises';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account under which root starts PostgreSQL, which refuses to run as root. Null: it runs under the account of this
 * process.
 */
export const serverAccount = async (folder: string): Promise<Account | null> => {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(folder).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return accountFromPasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''));
};

const nobody: Account = { uid: 65534, gid: 65534 };

/** Prefers `postgres`, else `nobody`; never returns an entry that is root under another name. */
export const accountFromPasswd = (passwd: string): Account => {
  const entries = passwd.split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = entries.find(([user]) => user === name);
    const account = { uid: Number(entry?.[2]), gid: Number(entry?.[3]) };
    // macOS writes the uid of nobody as -2.
    if (Number.isInteger(account.uid) && account.uid > 0 && Number.isInteger(account.gid)) return account;
  }
  return nobody;
};
