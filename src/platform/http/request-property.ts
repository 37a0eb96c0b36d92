import { type IncomingMessage } from 'node:http';

/**
 * A value that belongs to a request. It is a property of the request rather than an entry of a WeakMap, because the garbage
 * collector takes the values of a WeakMap for used until a full collection: bodies, and what leads to requests and responses.
 */
export class RequestProperty<T> {
  private readonly key: symbol;

  constructor(name: string) {
    this.key = Symbol(name);
  }

  get(request: IncomingMessage): T | undefined {
    return (request as unknown as Record<symbol, T | undefined>)[this.key];
  }

  set(request: IncomingMessage, value: T): void {
    (request as unknown as Record<symbol, T | undefined>)[this.key] = value;
  }
}
