import { ExpressAdapter } from '@nestjs/platform-express';
import { type Request, type Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { contextOf } from './request-context.js';

/** An application of Express has the prototypes that it gives to each request and response. */
interface Prototypes {
  request: Request;
  response: Response;
}

/** Express as Nest uses it, without the costs that each request would have for nothing. */
export class HttpServerAdapter extends ExpressAdapter {
  /**
   * Express changes the prototype of each request and response, which makes V8 keep all of them until a full garbage
   * collection. The change does nothing to messages that are made with this prototype.
   */
  override initHttpServer(): void {
    const app = this.getInstance<Prototypes>();
    const classes = {
      IncomingMessage: withPrototype(IncomingMessage, app.request),
      ServerResponse: withPrototype(ServerResponse, app.response),
    };
    app.request = classes.IncomingMessage.prototype as Request;
    app.response = classes.ServerResponse.prototype as Response;
    this.httpServer = createServer(classes, this.getInstance());
  }

  /**
   * Runs the steps that guards have registered for the answer; the error of a step that fails is sent in its place. Nest's own
   * way, an interceptor of all routes, wraps every answer in Observables: a tenth of the processor time of a small request.
   */
  override async reply(response: Response, returned: unknown, status?: number): Promise<void> {
    let answer = returned;
    if (!response.headersSent) for (const step of contextOf(response.req).beforeAnswer) answer = await step(answer);
    super.reply(response, answer, status);
  }
}

const withPrototype = <T extends typeof IncomingMessage | typeof ServerResponse>(Base: T, prototype: object): T => {
  const Message = class extends (Base as new (...args: never[]) => object) {} as T;
  Object.defineProperties(Message.prototype, Object.getOwnPropertyDescriptors(prototype));
  Object.setPrototypeOf(Message.prototype, Object.getPrototypeOf(prototype) as object);
  return Message;
};
