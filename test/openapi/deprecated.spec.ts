import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication, NotFoundException } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApiOperation } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { openApiDocument } from '../../src/app/openapi/app.openapi.js';
import { Public } from '../../src/kernel/access/access.js';
import { Routes } from '../../src/kernel/access/routes.js';
import { Config, loadConfig } from '../../src/platform/config/config.js';
import { Deprecated } from '../../src/platform/http/deprecated.js';

const old = Deprecated({ since: '2027-03-01', sunset: '2027-09-01', instead: 'Use `GET /new`.' });

@Controller()
class OrdersController {
  @Get('old')
  @Public()
  @ApiOperation({ summary: 'Orders', description: 'By date.' })
  @old
  list(): object {
    return [];
  }

  @Get('missing')
  @Public()
  @old
  missing(): object {
    throw new NotFoundException();
  }

  @Get('new')
  @Public()
  newer(): object {
    return [];
  }
}

let app: INestApplication;

beforeAll(async () => {
  const module = Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers: [OrdersController],
    providers: [Routes, { provide: Config, useValue: loadConfig({}) }],
  });
  app = (await module.compile()).createNestApplication();
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());

const headersOf = async (path: string) => {
  const { headers } = await fetch(`${await app.getUrl()}${path}`);
  return [headers.get('deprecation'), headers.get('sunset')];
};

describe('a deprecated route', () => {
  it.each(['/old', '/missing'])('says in its answers since when, and until when it answers: %s', async (path) => {
    expect(await headersOf(path)).toEqual(['@1803859200', 'Wed, 01 Sep 2027 00:00:00 GMT']);
  });

  it('is marked in the API document, with what replaces it', () => {
    expect(openApiDocument(app).paths['/old']?.get).toMatchObject({
      deprecated: true,
      summary: 'Orders',
      description: 'Deprecated, and may be gone from 2027-09-01. Use `GET /new`.\n\nBy date.',
    });
  });

  it('leaves others as they are', async () => {
    expect(await headersOf('/new')).toEqual([null, null]);
    expect(openApiDocument(app).paths['/new']?.get).not.toHaveProperty('deprecated');
  });
});
