import {
  applyDecorators,
  HttpException,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import { type Request } from 'express';
import { finalize, of, type Observable } from 'rxjs';
import { ClientGone } from '../errors/client-gone.js';
import { invalidInput, tooLarge, unavailable } from '../errors/problem.js';
import { Permits } from '../work/permits.js';
import { readJsonText } from '../values/json.js';
import { FormBody, isForm } from './body.guard.js';
import { FormFile, type Upload, attachUpload, formFileStorage } from './form-files.js';
import { contextOf } from './request-context.js';
import { assertStillAdmitted } from './watch-admission.js';

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
