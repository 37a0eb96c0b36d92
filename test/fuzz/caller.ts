/** Requests that make and keep the scene; what they get must be right. */
export class Caller {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  get<T>(path: string): Promise<T> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.call<T>('POST', path, JSON.stringify(body));
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.call<T>('PATCH', path, JSON.stringify(body));
  }

  delete(path: string): Promise<void> {
    return this.call('DELETE', path);
  }

  importLines(project: number, lines: string): Promise<unknown> {
    return this.call('POST', `/api/projects/${project}/import`, lines, 'application/x-ndjson');
  }

  private async call<T>(method: string, path: string, body?: string, type = 'application/json'): Promise<T> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, connection: 'close', ...(body ? { 'content-type': type } : {}) },
      body,
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    if (!answer.ok && !(method === 'DELETE' && answer.status === 404))
      throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
