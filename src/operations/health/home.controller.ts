import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../kernel/access/access.js';

class HomeDto {
  @ApiProperty({ example: 'Kohort' })
  name: string;

  @ApiProperty({ example: '/docs', description: 'The interactive documentation of this interface.' })
  docs: string;

  @ApiProperty({ example: '/openapi.json', description: 'The OpenAPI document.' })
  openapi: string;

  @ApiProperty({ example: '/_readyz', description: 'Whether the service can answer.' })
  ready: string;
}

const home: HomeDto = { name: 'Kohort', docs: '/docs', openapi: '/openapi.json', ready: '/_readyz' };

/** Serves `/`, the address that people open first. */
@ApiTags('Operations')
@Controller()
export class HomeController {
  @Get()
  @Public()
  @ApiOperation({
    operationId: 'home',
    summary: 'What this is',
    description:
      'Names the documentation. A browser gets the console here; where the console is off or not built, it is redirected to the documentation.',
  })
  @ApiOkResponse({ type: HomeDto, description: 'The addresses of the documentation and the health check.' })
  @ApiFoundResponse({ description: 'For a browser, without the console: `Location` is /docs.' })
  home(@Req() request: Request, @Res({ passthrough: true }) response: Response): HomeDto | void {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') response.redirect(302, home.docs);
    else return home;
  }
}
