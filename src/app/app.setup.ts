import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { serveConsole } from './documents/app.console.js';
import { serveDocuments } from './documents/app.documents.js';
import { serveSecurityContact } from './documents/app.security-contact.js';
import { ExportRecorder } from '../activity/log/export-recorder.js';
import { AppModule } from './app.module.js';
import { openApiDocument, servedDocument } from './openapi/app.openapi.js';
import { Workers } from '../platform/work/workers.js';
import { sendProblem } from '../platform/http/problem.filter.js';
import { setPublicOrigin } from '../platform/http/origin.js';
import { notFound } from '../platform/errors/problem.js';
import { addressAliases } from '../kernel/access/address-aliases.js';
import { BodyGuard } from '../platform/http/body.guard.js';
import {
  Drain,
  HttpServerAdapter,
  connectionDeadlines,
  limitConnections,
  neverNotModified,
  queryParser,
} from '../platform/http/http-server.js';
import { KnownParametersGuard } from '../kernel/access/known-parameters.guard.js';
import { compressAnswers } from '../platform/http/compression.js';
import { answerParserErrors } from '../platform/http/parser-errors.js';
import {
  documentPaths,
  inTurn,
  operationsPaths,
  requestContext,
  requestLog,
  requestSpan,
} from '../platform/http/request.middleware.js';
import { RecordReadsGuard } from '../audit/trail/record-reads.guard.js';
import { indexRoutes } from '../platform/http/route-index.js';
import { RequestLimits } from '../auth/limits/request-limits.js';
import { validationPipe } from '../platform/http/validation.js';
import { startTelemetry } from '../platform/telemetry/telemetry.js';
import { type Logger } from '../platform/telemetry/logger.js';
import { nestLogger } from '../platform/telemetry/nest-logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { removeScratchLeftovers } from '../platform/values/scratch-folder.js';
import { type Config } from '../platform/config/config.js';
import { entities } from './entities.js';
import { crossOrigin } from '../events/sdk/cross-origin.js';
import { startMetricsServer } from '../operations/health/metrics-server.js';
import { migrateStores } from '../kernel/projection/identity/migrate-stores.js';
import { Postgres } from '../platform/postgres/postgres.js';
import { openStores } from '../kernel/stores/open-stores.js';

export interface Service {
  readonly app: NestExpressApplication;
  /** Stops HTTP, then background work, then the stores. With `isAnnounced`, it first gives load balancers time to notice. */
  stop(options?: { readonly isAnnounced: boolean }): Promise<void>;
}

/** Opens the stores, then makes and configures the application. `main.ts` and the tests both start the service with it. */
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
    indexRoutes(app);
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
    inTurn(
      requestContext(config, app.get(Postgres).clock),
      addressAliases,
      requestSpan,
      requestLog(logger, app.get(Metrics)),
      app.get(Drain).middleware,
      app.get(ExportRecorder).middleware,
      helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } }),
      config.servesApi ? crossOrigin : operationsOnly,
    ),
  );
  app.useGlobalPipes(validationPipe());
  // These guards run after AccessGuard, in this order.
  app.useGlobalGuards(app.get(RecordReadsGuard), new BodyGuard(), new KnownParametersGuard());
  if (config.servesApi && config.console) serveConsole(app, logger);
  app.use(documentPaths, limitedPerAddress(app.get(RequestLimits)));
  let document: OpenAPIObject | undefined;
  const documentOnce = (): OpenAPIObject => (document ??= openApiDocument(app));
  serveDocuments(app, documentOnce);
  serveSecurityContact(app, config.securityContact);
  SwaggerModule.setup('docs', app, documentOnce, {
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

/** A process that does not serve the API (ROLE=worker) answers only the paths of operations, such as health checks. */
const operationsOnly = (request: Request, response: Response, next: NextFunction): void => {
  if (operationsPaths.test(request.path)) next();
  else sendProblem(request, response, notFound(`there is no route ${request.path}`));
};
