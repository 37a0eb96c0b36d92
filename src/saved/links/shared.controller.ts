import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../kernel/access/access.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { DashboardAnswersDto } from '../dashboards/dashboard.dto.js';
import { LinkTokenBody, SharedDashboardDto } from './link.dto.js';
import { SharedDashboards } from './shared-dashboards.js';

const WrongLink = () => ApiUnauthorizedResponse(problemResponse('The link was revoked, or has expired.'));

/** Serves those who have a link. The token is in the body, so that no log contains it; cookies and keys have no effect. */
@ApiTags('Saved')
@Controller('api/shared_dashboard')
export class SharedController {
  constructor(private readonly shared: SharedDashboards) {}

  @Post()
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'getSharedDashboard',
    summary: 'The dashboard that a link shows',
    description: 'Its name, its texts, and the names and places of its tiles. Who has the token needs no account.',
  })
  @ApiOkResponse({ type: SharedDashboardDto })
  @WrongLink()
  async get(
    @Body() { token }: LinkTokenBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SharedDashboardDto> {
    setHeaders(response);
    return this.shared.get(token, request);
  }

  @Post('answers')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'getSharedAnswers',
    summary: 'The numbers of the dashboard that a link shows',
    description:
      'Those of its insights with its saved filters, without the persons behind them; `question` is without its filters.',
  })
  @ApiOkResponse({ type: DashboardAnswersDto })
  @WrongLink()
  async answers(@Body() { token }: LinkTokenBody, @Req() request: Request, @Res() response: Response): Promise<void> {
    setHeaders(response);
    const chunks = await this.shared.answers(token, request, response);
    await sendStream(response.status(200).type('application/json'), chunks);
  }
}

const setHeaders = (response: Response): void => {
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' });
};
