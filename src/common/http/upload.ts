import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type IncomingMessage } from 'node:http';

/** A file that came with a form and stays on disk until the request is answered. */
export interface Upload {
  readonly path: string;
  readonly sha256: Buffer;
}

const uploads = new WeakMap<IncomingMessage, Upload>();

export const keepUpload = (request: IncomingMessage, upload: Upload): void => {
  uploads.set(request, upload);
};

export const uploadOf = (request: IncomingMessage): Upload | null => uploads.get(request) ?? null;

export const Uploaded = createParamDecorator((_: unknown, host: ExecutionContext) =>
  uploadOf(host.switchToHttp().getRequest<IncomingMessage>()),
);
