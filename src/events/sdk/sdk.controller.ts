import { All, Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.js';
import { RawBody } from '../../common/http/body-limit.js';
import { configScript, emptyFlags, flagDefinitions, remoteConfig, surveys } from './empty-answers.js';

/**
 * What the official SDKs ask besides sending events. Kohort has no flags, surveys or recordings: the answers are valid,
 * empty and the same for everyone, so nothing here needs a key, and no SDK runs into retries.
 */
@ApiExcludeController()
@Controller()
export class SdkController {
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

  /** Extensions the browser SDK would load for features that are off. A 404 would be tried again and again. */
  @Get(['static/:file', 'static/:version/:file'])
  @Public()
  @Header('Content-Type', 'application/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  script(): string {
    return '/* not part of Kohort */\n';
  }

  /** Session recordings are switched off in the configuration above; what an SDK sends all the same is not kept. */
  @All('s')
  @HttpCode(200)
  @Public()
  @RawBody()
  recordings() {
    return { status: 1, detail: 'Session recordings are not kept' };
  }
}
