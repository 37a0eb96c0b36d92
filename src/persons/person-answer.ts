import {
  applyDecorators,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiParam, getSchemaPath } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { map, type Observable } from 'rxjs';
import { csvLine } from '../common/csv/csv.js';
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

const personCsv = ({ id, uuid, name, created_at, distinct_ids, properties }: PersonDto): string => {
  const entries = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  const header = ['id', 'uuid', 'name', 'created_at', 'distinct_ids', ...entries.map(([key]) => `properties.${key}`)];
  const row = [
    id,
    uuid,
    name,
    created_at,
    distinct_ids.join(';'),
    ...entries.map(([, value]: [string, unknown]) => value),
  ];
  return csvLine(header) + csvLine(row);
};

/** A route about one person that answers with that person, in both formats. Stands below `@Idempotent()`. */
export const AnswersPerson = (shape: Type<PersonDto> = PersonDto): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PersonFormatInterceptor),
    PersonIdParam(),
    ApiExtraModels(shape),
    ApiOkResponse({
      content: {
        'application/json': { schema: { $ref: getSchemaPath(shape) } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
  );

export const PersonIdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The integer id or the uuid.', example: '41' });
