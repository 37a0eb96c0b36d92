import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { csvLine } from '../platform/csv/csv.js';
import { ApiJsonOrCsv } from '../platform/csv/format.dto.js';
import { contextOf } from '../platform/http/request-context.js';
import { OccurringKeys } from './csv/occurring-keys.js';
import { PersonColumns } from './csv/person-columns.js';
import { PersonDto } from './person.dto.js';

/** With `format=csv`, a value that the query of the route has checked, the person becomes a table of one row. */
@Injectable()
export class PersonFormatGuard implements CanActivate {
  canActivate(host: ExecutionContext): true {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.query.format === 'csv')
      contextOf(request).beforeAnswer.push((person) => asCsv(person as PersonDto, http.getResponse<Response>()));
    return true;
  }
}

const asCsv = (person: PersonDto, response: Response): string => {
  response.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="person-${person.id}.csv"`,
  });
  return personCsv(person);
};

const personCsv = (person: PersonDto): string => {
  const columns = new PersonColumns(OccurringKeys.of([person]));
  return csvLine(columns.header) + csvLine(columns.row(person));
};

/** Marks a route about one person that answers with that person, in both formats. */
export const AnswersPerson = (shape: Type<PersonDto> = PersonDto): MethodDecorator =>
  applyDecorators(UseGuards(PersonFormatGuard), PersonIdParam(), ApiJsonOrCsv(shape));

export const PersonIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The integer id or the uuid.', schema: { type: 'string' } });
