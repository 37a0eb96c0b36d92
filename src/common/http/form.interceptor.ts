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
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finalize, of, type Observable } from 'rxjs';
import { invalidInput, tooLarge } from '../errors/problem.js';
import { readJsonText } from '../json/read-json.js';
import { FormBody, isForm } from './body.interceptor.js';
import { keepUpload } from './upload.js';

const maxFileBytes = 1024 ** 3;
const maxFieldBytes = 20 * 1024 ** 2;

type Received = Omit<Request, 'body'> & { file?: { readonly path: string }; body: Record<string, unknown> };

/** The file goes to disk as it arrives; the fields become what the same request would say in JSON. */
const formInterceptor = (file: string, jsonFields: readonly string[]) => {
  const Files = FileInterceptor(file, {
    dest: join(tmpdir(), 'kohort-uploads'),
    limits: { fileSize: maxFileBytes, fieldSize: maxFieldBytes, fields: 50, files: 1 },
  });

  @Injectable()
  class FormInterceptor implements NestInterceptor {
    private readonly files = new Files();

    async intercept(host: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
      const request = host.switchToHttp().getRequest<Received>();
      if (!isForm(request as Request)) return next.handle();
      await this.read(host);
      const path = request.file?.path;
      const remove = () => (path === undefined ? undefined : void rm(path, { force: true }));
      try {
        request.body = fieldsOf(request.body, jsonFields);
        if (path !== undefined) keepUpload(request as Request, { path, sha256: await digestOf(path) });
      } catch (error) {
        remove();
        throw error;
      }
      return next.handle().pipe(finalize(remove));
    }

    private async read(host: ExecutionContext): Promise<void> {
      try {
        await this.files.intercept(host, { handle: () => of(null) });
      } catch (error) {
        if (!(error instanceof HttpException)) throw error;
        if (error.getStatus() === 413) throw tooLarge(`The file must not exceed ${maxFileBytes / 1024 ** 3} GB`);
        throw invalidInput(`The form cannot be read: ${error.message}; its only file is the part ${file}`, file);
      }
    }
  }
  return FormInterceptor;
};

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

const digestOf = async (path: string): Promise<Buffer> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest();
};

/** The route also takes `multipart/form-data`, with one file. Stands below `@Idempotent()`. */
export const AcceptsForm = (file: string, jsonFields: readonly string[]): MethodDecorator =>
  applyDecorators(
    FormBody(),
    UseInterceptors(formInterceptor(file, jsonFields)),
    ApiConsumes('application/json', 'multipart/form-data'),
  );
