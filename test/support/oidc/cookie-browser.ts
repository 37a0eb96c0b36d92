interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly value: string;
}

export interface Visit {
  readonly url: URL;
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
  readonly setCookies: readonly string[];
}

/** A browser as far as cookies and redirects go. As in a browser, the ports of a host share their cookies. */
export class CookieBrowser {
  private readonly cookies = new Map<string, Cookie>();

  constructor(private readonly service: string) {}

  async visit(address: URL | string, headers: Readonly<Record<string, string>> = {}): Promise<Visit> {
    const url = new URL(address, this.service);
    const cookie = this.cookiesFor(url);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    const setCookies = answer.headers.getSetCookie();
    for (const line of setCookies) this.keep(url, line);
    const { status } = answer;
    return { url, status, location: answer.headers.get('location'), body: await answer.text(), setCookies };
  }

  /** Begins at the service and returns the address at which the provider hands the browser back, without opening it. */
  async toCallback(start = '/api/sessions/oidc/start'): Promise<URL> {
    const isBack = (url: URL) => url.origin === this.service && url.pathname.endsWith('/callback');
    return this.follow(await this.visit(start), isBack);
  }

  /** Follows redirects until one of them leads to an address that ends the way, which is not opened. */
  async follow(from: Visit, isEnd: (url: URL) => boolean): Promise<URL> {
    let visit = from;
    for (let steps = 0; steps < 10; steps += 1) {
      if (visit.location === null)
        throw new Error(`${visit.url.href} answered ${visit.status}: ${visit.body.slice(0, 300)}`);
      const next = new URL(visit.location, visit.url);
      if (isEnd(next)) return next;
      visit = await this.visit(next);
    }
    throw new Error(`too many redirects, the last to ${visit.url.href}`);
  }

  /** Signs in by the provider; returns where the service leads afterwards. */
  async signIn(start?: string): Promise<string> {
    const { location, status, body } = await this.visit(await this.toCallback(start));
    if (location === null) throw new Error(`${status} ${body}`);
    return location;
  }

  /** The value of a cookie of the service; undefined without one. */
  cookie(name: string): string | undefined {
    return [...this.cookies].find(([key]) => key.endsWith(` ${name}`))?.[1].value;
  }

  forget(name: string): void {
    for (const key of this.cookies.keys()) if (key.endsWith(` ${name}`)) this.cookies.delete(key);
  }

  private cookiesFor(url: URL): string {
    return [...this.cookies]
      .filter(
        ([, { host, path }]) => host === url.hostname && `${url.pathname}/`.startsWith(`${path.replace(/\/$/, '')}/`),
      )
      .map(([key, { value }]) => `${key.split(' ').at(-1)}=${value}`)
      .join('; ');
  }

  private keep(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const attribute = (expected: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${expected}=`))?.slice(expected.length + 1);
    const path = attribute('path') ?? '/';
    const expires = attribute('expires');
    const isOver = expires !== undefined && Date.parse(expires) <= Date.now();
    const key = `${url.hostname} ${path} ${name}`;
    if (isOver || value === '') this.cookies.delete(key);
    else this.cookies.set(key, { host: url.hostname, path, value });
  }
}
