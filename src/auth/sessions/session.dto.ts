import { ApiProperty } from '@nestjs/swagger';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { passwordField } from '../users/user-fields.dto.js';
import { type SessionRow } from './sessions.repository.js';

export class SessionDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', description: 'Precise to the hour.', example: '2026-01-02T10:00:00.000Z' })
  last_seen_at: string;

  @ApiProperty({
    format: 'date-time',
    description: '14 days after `last_seen_at`, with which it moves.',
    example: '2026-01-16T10:00:00.000Z',
  })
  expires_at: string;

  @ApiProperty({ description: 'The network from which the user signed in, shortened.', example: '203.0.113.0/24' })
  address: string;

  @ApiProperty({ example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
  user_agent: string;

  @ApiProperty({ description: 'Whether it is the session of this request.', example: true })
  is_current: boolean;
}

export class SignInBody {
  @BodyField(field.text({ min: 1, max: 320, example: 'ada@example.test' }))
  email?: string;

  @BodyField(passwordField())
  password?: string;

  @BodyField(
    field.text({
      min: 1,
      max: 100,
      description: 'Instead of e-mail and password: the token of a link that signs in once.',
      example: 'kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E',
    }),
  )
  link_token?: string;
}

export const toSessionDto = (session: SessionRow, currentId: string | null): SessionDto => ({
  id: session.id,
  created_at: session.createdAt.toISOString(),
  last_seen_at: session.lastSeenAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  address: session.address,
  user_agent: session.userAgent,
  is_current: session.id === currentId,
});
