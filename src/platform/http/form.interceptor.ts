import {
  type CallHandler,
  type ExecutionContext,
  HttpException,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
  applyDecorators,
  createParamDecorator,
} from '@nestjs/common';
import { type IncomingMessage } from 'node:http';
import { RequestProperty, contextOf } from './request-context.js';
import { createHash, randomUUID } from 'node:crypto';
import { type WriteStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientGone } from '../errors/client-gone.js';
import { scratchFolder } from '../values/scratch-folder.js';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import { type Request } from 'express';
import { type Observable, finalize, of } from 'rxjs';
import { invalidInput, tooLarge, unavailable } from '../errors/problem.js';
import { Permits } from '../work/permits.js';
import { readJsonText } from '../values/json.js';
import { FormBody, isForm } from './body.guard.js';
import { assertStillAdmitted } from './watch-admission.js';

/** A file that came with a form and stays on disk until the request is answered. */
export interface Upload {
  readonly path: string;
  readonly sha256: Buffer;
}

const uploads = new RequestProperty<Upload>('upload');

const attachUpload = (request: IncomingMessage, upload: Upload): void => {
  uploads.set(request, upload);
};

export const uploadOf = (request: IncomingMessage): Upload | null => uploads.get(request) ?? null;

export const Uploaded = createParamDecorator((_: unknown, host: ExecutionContext) =>
  uploadOf(host.switchToHttp().getRequest<IncomingMessage>()),
);

interface ReceivedFile {
  folder: string | null;
  output: WriteStream | null;
  bytes: number;
  isOver: boolean;
}

const received = new RequestProperty<ReceivedFile>('received file');

/** The only file of a form, which is written to disk in a private folder of its own. */
class FormFile {
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
const formFileStorage = {
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
  const file: ReceivedFile = { folder: null, output: null, bytes: 0, isOver: false };
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

const megabyte = 1024 ** 2;
const maxFileBytes = 100 * megabyte;
const maxFieldBytes = megabyte;
const maxFields = 20;
const maxTextBytes = 5 * megabyte;
/** Tolerance of the limit of text: parts have headers, and bytes of the file are counted a moment after they arrive. */
const slackBytes = megabyte;
const stallMs = 30_000;

/** Each form holds a file on disk and, for a while, a connection to PostgreSQL. */
const permits = new Permits(
  { project: 2, all: 8 },
  { refusal: () => unavailable('Too many uploads are running: try again later', 5) },
);

const noFile = (file: string) =>
  invalidInput(`${file} must be a file, not text: with curl, write -F ${file}=@members.csv`, file);

const noBoundary = (file: string) =>
  invalidInput(
    'The form cannot be read: Content-Type must be multipart/form-data with a boundary, as clients write it',
    file,
  );

type Received = Omit<Request, 'body'> & { file?: Upload; body: Record<string, unknown> };

/** Writes the file to disk as it arrives, and gives the handler the other fields as if they had been sent as JSON. */
const formInterceptor = (file: string, jsonFields: readonly string[]) => {
  const Files = FileInterceptor(file, {
    storage: formFileStorage,
    limits: { fileSize: maxFileBytes, fieldSize: maxFieldBytes, fields: maxFields, files: 1 },
  });

  @Injectable()
  class FormInterceptor implements NestInterceptor {
    private readonly files = new Files();

    async intercept(host: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const request = host.switchToHttp().getRequest<Received>();
      if (!isForm(request as Request)) return next.handle();
      const release = permits.take({ project: contextOf(request).project?.id ?? 'none' });
      const form = new FormFile(request);
      const end = () => {
        release();
        void form.remove();
      };
      try {
        await Promise.race([this.read(host), overLimits(request, form)]);
        await assertStillAdmitted(request as Request);
        // The reader of forms ignores a form whose boundary is empty.
        if (!(request.body as object | undefined)) throw noBoundary(file);
        if (Object.hasOwn(request.body, file)) throw noFile(file);
        request.body = fieldsOf(request.body, jsonFields);
        if (request.file) attachUpload(request, request.file);
      } catch (error) {
        end();
        throw error;
      }
      return next.handle().pipe(finalize(end));
    }

    private async read(host: ExecutionContext): Promise<void> {
      try {
        await this.files.intercept(host, { handle: () => of(null) });
      } catch (error) {
        const request = host.switchToHttp().getRequest<Received>();
        if (request.destroyed && !request.complete) throw new ClientGone();
        if (!(error instanceof HttpException)) throw error;
        if (error.getStatus() === 413) throw tooLarge(`The file must not exceed ${maxFileBytes / megabyte} MB`);
        throw invalidInput(
          `The form cannot be read: ${error.message}; its only file is the part ${file}, and it has at most ${maxFields} other parts of ${maxFieldBytes / megabyte} MB each`,
          file,
        );
      }
    }
  }
  return FormInterceptor;
};

/**
 * Rejects if the text parts of a form are too large together, or if nothing more arrives. It rejects only after it has read and
 * discarded the rest of the form, because many clients read no answer before they have sent everything.
 */
const overLimits = async (request: Received, form: FormFile): Promise<never> =>
  new Promise((_, reject) => {
    let bytes = 0;
    let refusal: Error | null = null;
    const timer = setTimeout(() => {
      reject(new ClientGone());
      request.destroy();
    }, stallMs);
    request.on('data', (piece: Buffer) => {
      timer.refresh();
      bytes += piece.length;
      if (refusal || bytes - form.bytes <= maxTextBytes + slackBytes) return;
      refusal = tooLarge(
        `The parts of a form other than the file must not exceed ${maxTextBytes / megabyte} MB together`,
      );
      request.unpipe();
      request.resume();
    });
    const end = () => {
      clearTimeout(timer);
      if (refusal) reject(refusal);
    };
    request.once('end', end).once('close', end);
  });

const fieldsOf = (body: Record<string, unknown>, jsonFields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      jsonFields.includes(name) && typeof value === 'string' ? jsonOf(name, value) : value,
    ]),
  );

const jsonOf = (name: string, text: string): unknown => {
  if (text.trim() === '') return null;
  return readJsonText(text, name, () => invalidInput(`${name} must be JSON`, name));
};

/** The route also accepts `multipart/form-data` with one file. Must be placed below `@Idempotent()`. */
export const AcceptsForm = (file: string, jsonFields: readonly string[]): MethodDecorator =>
  applyDecorators(
    FormBody(),
    UseInterceptors(formInterceptor(file, jsonFields)),
    ApiConsumes('application/json', 'multipart/form-data'),
  );
