import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { notFound } from '../../platform/errors/problem.js';
import { isKnownTo } from '../../platform/http/etag.js';

const gzip = promisify(gzipCallback);

interface StaticFile {
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** A file with a version in its address never changes. Without a version, the same address has a new file after each update. */
const cacheControl = { versioned: 'public, max-age=31536000, immutable', latest: 'public, max-age=300' };

const servedName = /^[\w.-]+\.js(\.map)?$/;

/**
 * Serves the files of the installed posthog-js, which the HTML snippet loads from this service. Only names that were in the
 * folder at the start are served, so no path is ever made from a request.
 */
@Injectable()
export class StaticFiles {
  private readonly folder: string;
  private readonly version: string;
  private readonly names: ReadonlySet<string>;
  private readonly read = new Map<string, Promise<StaticFile>>();

  constructor() {
    const manifest = createRequire(import.meta.url).resolve('posthog-js/package.json');
    this.folder = join(dirname(manifest), 'dist');
    this.version = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
    this.names = new Set(readdirSync(this.folder).filter((name) => servedName.test(name)));
  }

  async send(name: string, version: string | null, request: Request, response: Response): Promise<void> {
    if (!this.names.has(name)) {
      this.sendUnknown(name, response);
      return;
    }
    const packs = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    const etag = `"${this.version}${packs ? '-gzip' : ''}"`;
    response
      .set({ ETag: etag, 'Cache-Control': version === this.version ? cacheControl.versioned : cacheControl.latest })
      .vary('Accept-Encoding');
    if (isKnownTo(request, etag)) {
      response.status(304).end();
      return;
    }
    const file = await this.fileOf(name);
    if (packs) response.set('Content-Encoding', 'gzip');
    response.type(name.endsWith('.map') ? 'application/json' : scriptType).send(packs ? file.packed : file.plain);
  }

  private sendUnknown(name: string, response: Response): void {
    const help =
      `/static/ serves the files of posthog-js ${this.version}, and this is not one of them: ` +
      'load /static/array.js, or install posthog-js from npm and set its api_host.';
    if (!name.endsWith('.js')) throw notFound(help);
    response
      .status(404)
      .type(scriptType)
      .send(`console.error(${JSON.stringify(help)});\n`);
  }

  /** Reads and packs a file once and keeps it, because the folder is small. */
  private fileOf(name: string): Promise<StaticFile> {
    const known = this.read.get(name);
    if (known) return known;
    const file = this.load(name);
    this.read.set(name, file);
    file.catch(() => this.read.delete(name));
    return file;
  }

  private async load(name: string): Promise<StaticFile> {
    const plain = await readFile(join(this.folder, name));
    return { plain, packed: await gzip(plain) };
  }
}

const scriptType = 'application/javascript; charset=utf-8';
