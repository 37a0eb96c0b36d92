import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type IncomingMessage } from 'node:http';
import { RequestProperty } from './request-property.js';

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
