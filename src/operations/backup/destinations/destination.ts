import { StorageFault, type StoredObject, type ObjectStore } from '../../../platform/objects/object-store.js';

/** The backup cannot be used or made; the message is one line for the operator. */
export class BackupFault extends StorageFault {}

/** Where one backup is, or is made: a folder, or the objects of a bucket with one prefix. */
export interface BackupDestination extends Pick<ObjectStore, 'read'> {
  /** The name that the operator uses for it. */
  readonly name: string;
  /**
   * Starts a backup here, which counts as a backup only once it is completed. Removes what a killed backup has left. Throws a
   * BackupFault if a backup exists here already, or another process is making one.
   */
  start(): Promise<Draft>;
  /** The backups in this destination, each in a destination of its own. */
  inside(): Promise<InnerDestination[]>;
  /** True if a process is making the incomplete backup here. Takes a while, because only a change of its mark proves that. */
  isBeingMade(): Promise<boolean>;
  /** Removes a backup, or what a killed one has left. Even if the removal is interrupted, the rest is no backup any more. */
  remove(): Promise<void>;
}

export interface InnerDestination {
  /** The last part of the name of the destination. */
  readonly name: string;
  readonly destination: BackupDestination;
  readonly isComplete: boolean;
}

/** The manifest is written last: without it, the other files are no backup. */
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
  /** Writes the manifest, which turns the draft into a backup. */
  complete(manifest: string): Promise<void>;
  /** Removes what was written. */
  abandon(): Promise<void>;
}
