import { type Request, type Response } from 'express';
import { ApiJsonOrCsv, type Format } from '../../platform/csv/format.dto.js';
import { PageDto, type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { sendOffsetList } from '../../platform/csv/send-list.js';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { PropertyValues } from './property-values.js';
import { PropertyKeyDto, PropertyKeysQuery, PropertyValueDto, PropertyValuesQuery } from './values.dto.js';

interface Named {
  readonly name: unknown;
  readonly count: number;
}

type Read = (page: PageQuery) => Promise<Slice<Named>>;

const sendCounts = (
  request: Request,
  response: Response,
  filename: string,
  query: PageQuery & { readonly format: Format },
  read: Read,
): Promise<void> =>
  sendOffsetList(request, response, query, {
    page: read,
    // Reads the first slice before the table begins, so that a refusal is answered as an error.
    all: async () => everything(await read(first), read),
    filename,
    columns: ['name', 'count'],
  });

const first = { limit: 10_000, offset: 0 };

async function* everything(slice: Slice<Named>, read: Read): AsyncGenerator<Named> {
  for (
    let { limit, offset } = first, { results } = slice;
    results.length > 0;
    { results } = await read({ limit, offset })
  ) {
    yield* results;
    if (results.length < limit) return;
    offset += limit;
  }
}

/** This controller is registered first, because `persons/:id` would capture these paths. */
@ApiTags('Persons')
@Controller('api/projects/:project_id/persons')
export class PropertyValuesController {
  constructor(private readonly propertyValues: PropertyValues) {}

  @Get('properties')
  @RequiresScope('person:read')
  @ApiOperation({
    operationId: 'listPersonProperties',
    summary: 'Properties of persons, with the number of persons that have each',
  })
  @ApiJsonOrCsv(PageDto(PropertyKeyDto))
  properties(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: PropertyKeysQuery,
    @Now() now: Date,
  ): Promise<void> {
    return sendCounts(request, response, 'properties.csv', query, (page) =>
      this.propertyValues.keys(project, { ...query, ...page }, now),
    );
  }

  @Get('values')
  @RequiresScope('person:read')
  @ApiOperation({ operationId: 'listPropertyValues', summary: 'Values of a property, most frequent first' })
  @ApiJsonOrCsv(PageDto(PropertyValueDto))
  values(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: PropertyValuesQuery,
    @Now() now: Date,
  ): Promise<void> {
    return sendCounts(request, response, 'values.csv', query, (page) =>
      this.propertyValues.list(project, { ...query, ...page }, now),
    );
  }
}
