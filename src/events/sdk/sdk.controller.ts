import { All, Controller, Get, Header, HttpCode, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../kernel/access/access.js';
import { RawBody } from '../../platform/http/body-limit.js';
import { remoteConfig } from './remote-config.js';
import { StaticFiles } from './static-files.js';

const surveys = () => ({ surveys: [], surveys_config: null, earlyAccessFeatures: [] });

/** Returns the script that the browser SDK loads. It stores the configuration where the SDK looks for it. */
const configScript = (token: string): string =>
  `(function(){var c=window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{};c[${scriptText(token)}]={config:${scriptText({ token, ...remoteConfig() })},siteApps:[]};})();\n`;

/** Makes JSON valid in a script: two characters of JSON are not, and "</script>" must not end an inline copy. */
const scriptText = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Answers the requests of official SDKs that send no events and ask for no flags. Kohort has no surveys or recordings, so the answers are
 * valid, empty and the same for all projects. Nothing here needs a key, and no SDK retries.
 */
@ApiExcludeController()
@Controller()
export class SdkController {
  constructor(private readonly files: StaticFiles) {}

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

  @Get(['api/web_experiments', 'api/product_tours'])
  @Public()
  experimentsAndTours() {
    return { experiments: [], product_tours: [] };
  }

  @Get(['api/surveys', 'api/early_access_features'])
  @Public()
  surveys() {
    return surveys();
  }

  /** Sends a script. The browser SDK asks for its own version, in the path or as `?v=`. */
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

  /** Discards recordings that an SDK sends although the configuration above switches them off. */
  @All('s')
  @HttpCode(200)
  @Public()
  @RawBody()
  recordings() {
    return { status: 1, detail: 'Session recordings are not stored' };
  }
}
