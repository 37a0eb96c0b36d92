import { All, Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.js';
import { RawBody } from '../../common/http/body-limit.js';
import { configScript, emptyFlags, flagDefinitions, remoteConfig, surveys } from './empty-answers.js';

/**
 * The requests of the official SDKs beside sending events. Kohort has no flags, surveys or recordings: the answers are
 * valid, empty and the same for all projects, so nothing here needs a key, and no SDK retries.
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

  /** The browser SDK loads these extensions for features that are off. It would retry a 404 again and again. */
  @Get(['static/:file', 'static/:version/:file'])
  @Public()
  @Header('Content-Type', 'application/javascript; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  script(): string {
    return '/* not part of Kohort */\n';
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
