import { All, Controller, Get, Header, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../kernel/access/access.js';
import { RawBody } from '../../platform/http/body-limit.js';
import { configScript, emptyFlags, flagDefinitions, remoteConfig, surveys } from './empty-answers.js';
import { StaticFiles } from './static-files.js';

/**
 * The requests of the official SDKs beside sending events. Kohort has no flags, surveys or recordings: the answers are
 * valid, empty and the same for all projects, so nothing here needs a key, and no SDK retries.
 */
@ApiExcludeController()
@Controller()
export class SdkController {
  constructor(private readonly files: StaticFiles) {}

  @Post(['flags', 'decide'])
  @HttpCode(200)
  @Public()
  @RawBody()
  flags() {
    return emptyFlags();
  }

  @Get(['flags', 'decide'])
  @Public()
  flagsByQuery() {
    return emptyFlags();
  }

  @Get(['flags/definitions', 'api/feature_flag/local_evaluation'])
  @Public()
  definitions() {
    return flagDefinitions();
  }

  @Get('api/projects/@current/feature_flags/:key/remote_config')
  @Public()
  remoteConfigOfFlag() {
    return {};
  }

  @Get('array/:token/config')
  @Public()
  config(@Param('token') token: string) {
    return { token, ...remoteConfig() };
  }

  @Get('array/:token/config.js')
  @Public()
  @Header('Content-Type', 'application/javascript; charset=utf-8')
  configScript(@Param('token') token: string): string {
    return configScript(token);
  }

  @Get(['api/surveys', 'api/early_access_features'])
  @Public()
  surveys() {
    return surveys();
  }

  /** The browser SDK asks for its own version, as a part of the path or as ?v=. */
  @Get(['static/:file', 'static/:version/:file'])
  @Public()
  script(
    @Param() { file, version }: { readonly file: string; readonly version?: string },
    @Query('v') v: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.files.send(file, version ?? (typeof v === 'string' ? v : null), request, response);
  }

  /** The configuration above switches session recordings off; recordings that an SDK sends all the same are discarded. */
  @All('s')
  @HttpCode(200)
  @Public()
  @RawBody()
  recordings() {
    return { status: 1, detail: 'Session recordings are not stored' };
  }
}
