import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { cursorPageOf } from '../../platform/http/page.dto.js';
import { sendList } from '../../platform/csv/send-list.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type WarnedPage } from '../../filters/warnings/question-warning.dto.js';
import { QuestionWarnings } from '../../filters/warnings/question-warnings.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { duringExport } from '../../platform/work/export-permits.js';
import { PersonsExport } from './persons-export.js';
import { sendPageCsv, sendPersonsCsv } from '../csv/send-persons-csv.js';
import { type PersonDto } from '../person.dto.js';
import { PersonsList, type ListRequest } from './persons-list.js';
import { type PersonsQuery } from './persons.query.js';

const filename = 'persons.csv';

/** Sends the list in the requested form. `among` limits it to the persons that a statement selects. */
@Injectable()
export class PersonsResponder {
  constructor(
    private readonly list: PersonsList,
    private readonly everyone: PersonsExport,
    private readonly warnings: QuestionWarnings,
  ) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    query: PersonsQuery,
    now: Date,
    among: Sql | null = null,
  ): Promise<void> {
    const listRequest = await this.list.read(project, query, now, among);
    await sendList(request, response, query, {
      page: () => this.page(request, project, query, listRequest, now),
      sendPage: (persons) => sendPageCsv(response, filename, persons),
      sendAll: () => this.sendEveryone(response, project, listRequest, now),
    });
  }

  private sendEveryone(
    response: Response,
    project: ProjectContext,
    listRequest: ListRequest,
    now: Date,
  ): Promise<void> {
    const { keys, content } = listRequest.filter;
    return content
      ? duringExport(project, () =>
          sendPersonsCsv(response, filename, this.list.all(project, listRequest, content, now)),
        )
      : this.everyone.send(response, filename, project, keys);
  }

  private async page(
    request: Request,
    project: ProjectContext,
    query: PersonsQuery,
    listRequest: ListRequest,
    now: Date,
  ): Promise<WarnedPage<PersonDto>> {
    const slice = await this.list.page(project, listRequest, query, now);
    const page = cursorPageOf(
      request,
      query,
      listRequest.cursor,
      slice,
      ({ micros, id }) => [micros, id],
      ({ person }) => person,
    );
    const results = page.results.filter((person) => person !== null);
    const { content } = listRequest.filter;
    if (page.count > 0 || !content) return { ...page, results };
    const warnings = await this.warnings.of(project, { matches: [], filters: [content.filter] });
    return { ...page, results, ...(warnings.length > 0 && { warnings }) };
  }
}
