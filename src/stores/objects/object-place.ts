/** Files that are written once and read in pieces: in a folder, or in a bucket. */
export interface ObjectPlace {
  /** The file is kept for good when the promise resolves. */
  write(file: string, bytes: Uint8Array): Promise<void>;
  /** The bytes from `start` up to `end`, which is not included; null when there is no such file. */
  read(file: string, start: number, end: number): Promise<Buffer | null>;
  /** Does nothing when the file is not there. */
  remove(file: string): Promise<void>;
}
