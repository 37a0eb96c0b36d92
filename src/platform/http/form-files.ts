import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { type IncomingMessage } from 'node:http';
import { RequestProperty } from './request-context.js';
import { createHash, randomUUID } from 'node:crypto';
import { type WriteStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientGone } from '../errors/client-gone.js';
import { scratchFolder } from '../values/scratch-folder.js';

/** A file that came with a form and stays on disk until the request is answered. */
export interface Upload {
  readonly path: string;
  readonly sha256: Buffer;
}

const uploads = new RequestProperty<Upload>('upload');

export const attachUpload = (request: IncomingMessage, upload: Upload): void => {
  uploads.set(request, upload);
};

export const uploadOf = (request: IncomingMessage): Upload | null => uploads.get(request) ?? null;

export const Uploaded = createParamDecorator((_: unknown, host: ExecutionContext) =>
  uploadOf(host.switchToHttp().getRequest<IncomingMessage>()),
);

interface Received {
  folder: string | null;
  output: WriteStream | null;
  bytes: number;
  isOver: boolean;
}

const received = new RequestProperty<Received>('received file');

/** The only file of a form, which is written to disk in a private folder of its own. */
export class FormFile {
  constructor(private readonly request: IncomingMessage) {}

  /** The number of bytes of the file that have arrived. */
  get bytes(): number {
    return received.get(this.request)?.bytes ?? 0;
  }

  /** Also removes a file that is still being written. */
  async remove(): Promise<void> {
    const file = received.get(this.request);
    if (!file) return;
    file.isOver = true;
    file.output?.destroy();
    if (file.folder !== null) await rm(file.folder, { recursive: true, force: true });
  }
}

type Done = (error: unknown, file?: Partial<Upload>) => void;

/** Decides where the form reader stores files, and computes the digest while writing. */
export const formFileStorage = {
  _handleFile(request: IncomingMessage, { stream }: { readonly stream: Readable }, done: Done): void {
    receive(request, stream).then(
      (upload) => done(null, upload),
      (error: unknown) => done(error),
    );
  },
  /** Does nothing, because the interceptor removes the folder after each request. */
  _removeFile(_request: IncomingMessage, _file: object, done: (error: null) => void): void {
    done(null);
  },
};

const receive = async (request: IncomingMessage, stream: Readable): Promise<Upload> => {
  const file: Received = { folder: null, output: null, bytes: 0, isOver: false };
  received.set(request, file);
  const hash = createHash('sha256');
  stream.on('data', (piece: Buffer) => {
    file.bytes += piece.length;
    hash.update(piece);
  });
  stream.pause();
  file.folder = await scratchFolder('upload');
  if (file.isOver) {
    await rm(file.folder, { recursive: true, force: true });
    throw new ClientGone();
  }
  const path = join(file.folder, randomUUID());
  file.output = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(stream, file.output);
  return { path, sha256: hash.digest() };
};
