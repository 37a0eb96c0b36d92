import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request, type Response } from 'express';
import { originOf } from '../../platform/http/origin.js';

const path = '/.well-known/security.txt';

/** The contact is the setting of a running process, so it is true for as long as readers may keep an answer. */
const validDays = 30;
const dayMs = 86_400_000;

/** Serves where to report a weakness of this installation (RFC 9116). Without a contact there is no such file. */
export const serveSecurityContact = (app: NestExpressApplication, contact: string | null): void => {
  if (contact === null) return;
  app.use(path, (request: Request, response: Response) => {
    const expires = new Date(Date.now() + validDays * dayMs).toISOString();
    const lines = [`Contact: ${contact}`, `Expires: ${expires}`, `Canonical: ${originOf(request)}${path}`];
    response.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
};
