import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { dataDirFault, explaining } from './data-dir-faults.js';
import { heartbeatMs, isAlive, parseHolder, thisProcess, type Holder } from './data-dir-holder.js';

/** Another process uses the folder. The operator sees this message only, as one line. */
export class DataDirInUseError extends Error {}

export interface DataDirLock {
  release(): Promise<void>;
}

/** Makes this process the only one that uses the folder, which is created when missing. */
export const lockDataDir = (dataDir: string): Promise<DataDirLock> => {
  const folder = resolve(dataDir);
  return explaining(() => lockFolder(folder), dataDirFault(folder, { owns: true }));
};

const lockFolder = async (folder: string): Promise<DataDirLock> => {
  await ensureDataDir(folder);
  const own = await thisProcess(randomUUID());
  const draft = join(folder, `kohort.lock.draft-${own.token}`);
  await writeFile(draft, `${JSON.stringify(own)}\n`, { mode: 0o600, flush: true });
  try {
    while (!(await tryToTake(folder, own, draft)));
  } finally {
    await rm(draft, { force: true });
  }
  await sweep(folder);
  return lockOf(lockFile(folder), own);
};

export const ensureDataDir = async (folder: string): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
};

/** Files of attempts that are older than this were abandoned: no running attempt takes so long. */
const abandonedMs = 60_000;

const lockFile = (folder: string): string => join(folder, 'kohort.lock');

/** The file by which a process becomes the successor of a dead holder. Each holder has one such file, and so one successor. */
const successorFile = (folder: string, dead: Holder): string => join(folder, `kohort.lock.after-${dead.token}`);

interface Claim {
  readonly holder: Holder;
  readonly file: string;
}

/** Returns the holder, then its successor if that died before it replaced the lock, then the successor's successor, and so on. */
const readClaims = async (folder: string): Promise<Claim[]> => {
  const claims: Claim[] = [];
  let file = lockFile(folder);
  for (;;) {
    const holder = await readHolder(file, folder);
    if (!holder) return claims;
    claims.push({ holder, file });
    file = successorFile(folder, holder);
  }
};

/**
 * Returns false if another process changed the lock meanwhile, so that the caller must try again. A process takes a file name by
 * a hard link, which succeeds for only one process. After it has become a successor, it reads all claims again, because the
 * holder that it succeeds may have been replaced meanwhile.
 */
const tryToTake = async (folder: string, own: Holder, draft: string): Promise<boolean> => {
  const claims = await readClaims(folder);
  const last = claims.at(-1);
  if (!last) return linked(draft, lockFile(folder));
  if (await isAlive(last.holder, last.file)) {
    if (tokens(await readClaims(folder)) !== tokens(claims)) return false;
    throw inUse(folder, last.holder);
  }
  const signature = successorFile(folder, last.holder);
  if (!(await linked(draft, signature))) return false;
  if (tokens(await readClaims(folder)) !== tokens([...claims, { holder: own, file: signature }])) {
    await rm(signature, { force: true });
    return false;
  }
  await rename(signature, lockFile(folder));
  return true;
};

const tokens = (claims: readonly Claim[]): string => claims.map(({ holder }) => holder.token).join();

const inUse = (folder: string, { pid, host, since }: Holder): DataDirInUseError =>
  new DataDirInUseError(
    `DATA_DIR ${folder} is in use by process ${pid} on host ${host} since ${since}; stop it or set another DATA_DIR`,
  );

const readHolder = async (file: string, folder: string): Promise<Holder | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const holder = parseHolder(text);
  if (holder) return holder;
  throw new DataDirInUseError(
    `DATA_DIR ${folder} is locked by ${file}, which names no process; remove that file if no other Kohort uses the folder`,
  );
};

/**
 * Removes the files of attempts that were killed. The holder may do so, because none of these files leads to the lock any
 * more.
 */
const sweep = async (folder: string): Promise<void> => {
  const left = (await readdir(folder)).filter((name) => /^kohort\.lock\.(draft|after)-/.test(name));
  for (const name of left) {
    const file = join(folder, name);
    const status = await stat(file).catch(() => null);
    if (status && Date.now() - status.mtimeMs > abandonedMs) await rm(file, { force: true });
  }
};

const linked = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const lockOf = (file: string, own: Holder): DataDirLock => {
  // A beat that fails is ignored: other processes see the silence, and this process can do no more.
  const beat = () => void utimes(file, new Date(), new Date()).catch(() => undefined);
  beat();
  const heart = setInterval(beat, heartbeatMs).unref();
  return {
    release: async () => {
      clearInterval(heart);
      const holder = await readHolder(file, dirname(file));
      if (holder?.token === own.token) await rm(file, { force: true });
    },
  };
};
