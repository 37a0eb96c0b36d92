import { ApiProperty } from '@nestjs/swagger';

export class OidcDto {
  @ApiProperty({ description: 'The name on the button.', example: 'Example Identity' })
  name: string;
}

export class ConsoleDto {
  @ApiProperty({ example: '1.0.0' })
  version: string;

  @ApiProperty({
    anyOf: [{ $ref: '#/components/schemas/OidcDto' }, { type: 'null' }],
    description: 'The provider of single sign-on; null without one.',
    example: null,
  })
  oidc: OidcDto | null;

  @ApiProperty({ description: 'Where the documentation of this interface is.', example: '/docs' })
  docs: string;
}
