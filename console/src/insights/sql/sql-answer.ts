import { type Schemas } from '../../api/types';

export type SqlAnswer = Schemas['QueryAnswerDto'];
