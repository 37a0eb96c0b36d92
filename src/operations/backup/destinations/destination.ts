import { StorageFault, type StoredObject, type ObjectStore } from '../../../platform/objects/object-store.js';

/** The backup cannot be used or made; the message is one line for the operator. */
export class BackupFault extends StorageFault {}

/** Where one backup is, or is made: a folder, or the objects of a bucket with one prefix. */
export interface BackupDestination extends Pick<ObjectStore, 'read'> {
  /** As the operator names it. */
  readonly name: string;
  /**
   * Begins a backup here; it is one only when it is completed. What a killed one has left is removed. Throws a BackupFault when a
   * backup is here already, or is being made.
   */
  start(): Promise<Draft>;
  /** The backups in this destination, each in a destination of its own. */
  inside(): Promise<InnerDestination[]>;
  /** True if a process is making the backup that is not complete here. Takes a while, because only a change proves it. */
  isBeingMade(): Promise<boolean>;
  /** Removes a backup, or what a killed one has left. From its first moment on, it is no backup any more. */
  remove(): Promise<void>;
}

export interface InnerDestination {
  /** The last part of the name of the destination. */
  readonly name: string;
  readonly destination: BackupDestination;
  readonly isComplete: boolean;
}

/** The file that is written last: without it, the others are no backup. */
export const manifestFile = 'manifest.json';

/** A file of a backup. */
export interface StoredFile extends StoredObject {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

/** A backup that is being made. */
export interface Draft {
  /** The file is kept for good when the promise resolves. */
  write(file: string, bytes: Buffer): Promise<StoredObject>;
  /** Takes the bytes of a file of the earlier backup under another name; null when it is gone or has changed since. */
  take(earlier: StoredFile, file: string): Promise<StoredObject | null>;
  /** Writes the manifest, which makes it a backup. */
  complete(manifest: string): Promise<void>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}
