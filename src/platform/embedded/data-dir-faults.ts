import { ConfigError } from '../config/config.js';

/** Runs one step of the start. A fault that the operator can correct becomes a ConfigError of one line. */
export const explaining = async <T>(step: () => Promise<T>, faultOf: (error: Error) => string | null): Promise<T> => {
  try {
    return await step();
  } catch (error) {
    const fault = error instanceof Error && !(error instanceof ConfigError) ? faultOf(error) : null;
    throw fault === null ? error : new ConfigError(fault, { cause: error });
  }
};

export const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

const isDiskFull = (error: Error): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ||
  /no space left on device|not enough space|check free disk space|disk quota exceeded/i.test(error.message) ||
  (error.cause instanceof Error && isDiskFull(error.cause));

const folderFaults: Record<string, string> = {
  ENOTDIR: 'is a file, or lies below one: name a folder',
  EEXIST: 'is a file, or lies below one: name a folder',
  EACCES: 'cannot be read and written by the user of this process: change its owner or mode, or name another folder',
  EPERM: 'cannot be read and written by the user of this process: change its owner or mode, or name another folder',
  EROFS: 'is on a file system that is mounted read-only: name another folder',
  ENOENT: 'cannot be created: name another folder',
  ENAMETOOLONG: 'has too long a path: name another folder',
  ELOOP: 'contains a symbolic link that leads to itself: name another folder',
};

/** `owns` is true when only the folder itself is touched, so that every such error is about the folder. */
export const dataDirFault =
  (folder: string, { owns = false } = {}) =>
  (error: Error): string | null => {
    if (isDiskFull(error)) return `DATA_DIR ${folder} has no space left on its disk: free some, or name another folder`;
    // The launcher's own refusals are one line already, such as a folder of another version of PostgreSQL.
    if (error.message.startsWith(folder)) return `DATA_DIR ${error.message}`;
    const fault = folderFaults[codeOf(error)];
    return owns && fault !== undefined ? `DATA_DIR ${folder} ${fault}` : null;
  };
