import {
  applyDecorators,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { csvLine } from '../common/csv/csv.js';
import { ApiJsonOrCsv } from '../common/csv/format.dto.js';
import { OccurringKeys } from './csv/occurring-keys.js';
import { PersonColumns } from './csv/person-columns.js';
import { PersonDto } from './person.dto.js';

/** With `format=csv`, which the route's query has checked, the person becomes a table of one row. */
@Injectable()
export class PersonFormatInterceptor implements NestInterceptor<PersonDto, PersonDto | string> {
  intercept(host: ExecutionContext, next: CallHandler<PersonDto>): Observable<PersonDto | string> {
    const http = host.switchToHttp();
    return next.handle().pipe(
      map((person) => {
        if (http.getRequest<Request>().query.format !== 'csv') return person;
        http.getResponse<Response>().set({
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="person-${person.id}.csv"`,
        });
        return personCsv(person);
      }),
    );
  }
}

const personCsv = (person: PersonDto): string => {
  const columns = new PersonColumns(OccurringKeys.of([person]));
  return csvLine(columns.header) + csvLine(columns.row(person));
};

/** Marks a route about one person that answers with that person, in both formats. Place it below `@Idempotent()`. */
export const AnswersPerson = (shape: Type<PersonDto> = PersonDto): MethodDecorator =>
  applyDecorators(UseInterceptors(PersonFormatInterceptor), PersonIdParam(), ApiJsonOrCsv(shape));

export const PersonIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The integer id or the uuid.', schema: { type: 'string' } });
