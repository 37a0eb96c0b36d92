import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { serveConsole } from './app.console.js';
import { serveDocuments } from './app.documents.js';
import { RecordExports } from './activity/record-exports.js';
import { AppModule } from './app.module.js';
import { openApiDocument, servedDocument } from './app.openapi.js';
import { Workers } from './common/background/workers.js';
import { sendProblem } from './common/http/problem.filter.js';
import { setPublicOrigin } from './common/http/origin.js';
import { notFound } from './common/errors/problem.js';
import { BodyGuard } from './common/http/body.guard.js';
import { connectionDeadlines, limitConnections } from './common/http/connection-limits.js';
import { Drain } from './common/http/drain.js';
import { HttpServerAdapter } from './common/http/http-server-adapter.js';
import { KnownParametersGuard } from './common/http/known-parameters.guard.js';
import { compressAnswers } from './common/http/compression.js';
import { neverNotModified } from './common/http/not-modified.js';
import { answerParserErrors } from './common/http/parser-errors.js';
import { queryParser } from './common/http/query-parser.js';
import { requestContext } from './common/http/request-context.middleware.js';
import { RecordReadsGuard } from './audit/record-reads.guard.js';
import { RequestLimits } from './auth/limits/request-limits.js';
import { documentPaths, operationsPaths, requestLog } from './common/http/request-log.middleware.js';
import { validationPipe } from './common/http/validation.js';
import { requestSpan } from './common/http/request-span.middleware.js';
import { startTelemetry } from './common/tracing/telemetry.js';
import { type Logger } from './common/logging/logger.js';
import { nestLogger } from './common/logging/nest-logger.js';
import { Metrics } from './common/metrics/metrics.js';
import { removeScratchLeftovers } from './common/scratch-folder.js';
import { type Config } from './config/config.js';
import { entities } from './entities.js';
import { crossOrigin } from './events/sdk/cross-origin.js';
import { startMetricsServer } from './health/metrics-server.js';
import { migrateStores } from './projection/identity/migrate-stores.js';
import { Postgres } from './stores/postgres/postgres.js';
import { openStores } from './stores/open-stores.js';

export interface Service {
  readonly app: NestExpressApplication;
  /** Stops HTTP first, then background work, then the stores. `isAnnounced` gives balancers the time to notice. */
  stop(options?: { readonly isAnnounced: boolean }): Promise<void>;
}

/** Takes everything from opening the stores to configuring the application; the tests use the same as `main.ts`. */
export const createService = async (config: Config, logger: Logger): Promise<Service> => {
  await removeScratchLeftovers();
  const stores = await openStores(config, logger, entities, migrateStores);
  try {
    const app = await NestFactory.create<NestExpressApplication>(
      AppModule.forRoot(config, logger, stores),
      new HttpServerAdapter(),
      { logger: nestLogger(logger), bodyParser: false, abortOnError: false },
    );
    configure(app, config, logger);
    await app.init();
    app.get(Workers).start();
    stores.expectCallers();
    const metricsServer = await startMetricsServer(config, app.get(Metrics), logger).catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    const telemetry = await startTelemetry(config.telemetry, app.get(Metrics).registry, logger);
    return {
      app,
      stop: async ({ isAnnounced } = { isAnnounced: false }) => {
        await app.get(Drain).finish(app.getHttpServer(), isAnnounced ? config.shutdownDelayMs : 0);
        await metricsServer?.stop();
        await app.close();
        await stores.close();
        await telemetry?.stop();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
};

const configure = (app: NestExpressApplication, config: Config, logger: Logger): void => {
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', queryParser);
  neverNotModified(app);
  compressAnswers(app);
  answerParserErrors(app.getHttpServer(), logger);
  app.set('trust proxy', config.trustProxy);
  setPublicOrigin(app, config.publicOrigin);
  limitConnections(
    app.getHttpServer(),
    { ...connectionDeadlines, total: config.maxConnections, perAddress: config.maxConnectionsPerAddress },
    trustedProxyOf(app),
    app.get(Metrics),
  );
  app.use(
    requestContext(config, app.get(Postgres).clock),
    requestSpan,
    requestLog(logger, app.get(Metrics)),
    app.get(Drain).middleware,
    app.get(RecordExports).middleware,
  );
  app.use(helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } }));
  app.use(config.servesApi ? crossOrigin : operationsOnly);
  app.useGlobalPipes(validationPipe());
  // They come after AccessGuard, in this order.
  app.useGlobalGuards(app.get(RecordReadsGuard), new BodyGuard(), new KnownParametersGuard());
  if (config.servesApi && config.console) serveConsole(app, logger);
  app.use(documentPaths, limitedPerAddress(app.get(RequestLimits)));
  serveDocuments(app);
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Kohort API',
    swaggerOptions: {
      deepLinking: true,
      // More than a hundred operations are too many for a first look.
      docExpansion: 'none',
      persistAuthorization: false,
      displayRequestDuration: true,
    },
    patchDocumentOnRequest: (request, _response, document) => servedDocument(request as Request, document),
  });
};

/** Compiles TRUST_PROXY as Express does, to check the remote address of a connection. */
const trustedProxyOf = (app: NestExpressApplication): ((address: string) => boolean) => {
  const express = app.getHttpAdapter().getInstance() as { get(name: string): unknown };
  const trusts = express.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (address) => trusts(address, 0);
};

const limitedPerAddress =
  (limits: RequestLimits) =>
  (request: Request, _response: Response, next: NextFunction): void => {
    limits.countUnauthenticated(request).then(() => next(), next);
  };

/** A worker listens for its health checks, not for questions. */
const operationsOnly = (request: Request, response: Response, next: NextFunction): void => {
  if (operationsPaths.test(request.path)) next();
  else sendProblem(request, response, notFound(`there is no route ${request.path}`));
};
